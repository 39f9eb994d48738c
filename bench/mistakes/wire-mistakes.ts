import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { SEEDED } from "#lib/domain/workflows/checks/mistakes.fixture";

/** A mistake in how a definition is written. A lenient schema would drop it silently. */
export interface WireMistake {
  name: string;
  definition: object;
  operation: object;
  /** Parts of create_workflow's answer: the field and the correction. */
  says: readonly string[];
  /** The correction in update_workflow's answer. */
  correction: string;
}

function onEdge(key: string, value: unknown, correct: keyof Definition["edges"][number], from: string): WireMistake {
  const edges = SEEDED.edges.map((edge): JsonObject => {
    const { [correct]: _, ...rest } = edge;
    return edge.id === from ? { ...rest, [key]: value } : { ...edge };
  });
  const at = SEEDED.edges.findIndex(({ id }) => id === from);
  return {
    name: `edge with ${key}`,
    definition: { ...SEEDED, edges },
    operation: { op: "add_edge", source: "check", target: "work", [key]: value },
    says: [`edges.${at}.${key}`, `"${correct}"`],
    correction: `"${correct}"`,
  };
}

const [start, ...others] = SEEDED.nodes;
const edgeOfCheck = SEEDED.edges.find(({ source, sourceHandle }) => source === "check" && sourceHandle === "true");

function onNode(key: string, value: unknown, correct: string): WireMistake {
  const node = { ...start, [key]: value };
  return {
    name: `node with ${key}`,
    definition: { ...SEEDED, nodes: [node, ...others] },
    operation: { op: "add_node", node: { ...node, id: "extra" } },
    says: [`nodes.0.${key}`, `"${correct}"`],
    correction: `"${correct}"`,
  };
}

export const WIRE_MISTAKES: readonly WireMistake[] = [
  onEdge("source_handle", "true", "sourceHandle", edgeOfCheck?.id ?? ""),
  onEdge("sourcehandle", "true", "sourceHandle", edgeOfCheck?.id ?? ""),
  onNode("parent_id", "each", "parentId"),
  onNode("positon", { x: 0, y: 0 }, "position"),
  {
    name: "operation with a misspelled field",
    definition: { ...SEEDED, egdes: [] },
    operation: { op: "remove_node", node_id: "wait", nodeid: "wait" },
    says: ["definition.egdes", '"edges"'],
    correction: '"node_id"',
  },
];
