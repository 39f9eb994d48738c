import type { Definition, GraphNode } from "#lib/contract/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

export interface StepMatch {
  nodeId: string;
  /** Where in the node's data it is, as problems name fields; null for its name, id or kind. */
  field: string | null;
}

/**
 * The steps that hold a text, in the order given, each once: in its name, id or kind, else in the first field that does.
 * @param order node ids in reading order
 */
export function findSteps(definition: Definition, order: readonly string[], query: string): StepMatch[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return [];
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  return order.flatMap((nodeId): StepMatch[] => {
    const node = nodes.get(nodeId);
    if (node === undefined) return [];
    if (titleOf(node).includes(wanted)) return [{ nodeId, field: null }];
    const field = findField(node.data, wanted, []);
    return field === null ? [] : [{ nodeId, field }];
  });
}

function titleOf(node: GraphNode): string {
  return `${nodeLabel(node)} ${node.id} ${STEP_KINDS[node.type].title}`.toLowerCase();
}

/** Returns the path of the first text or number that holds what is wanted. A trigger's secret is never searched. */
function findField(value: unknown, wanted: string, path: readonly (string | number)[]): string | null {
  if (path.at(-1) === "secret") return null;
  if (typeof value === "string" || typeof value === "number") {
    return String(value).toLowerCase().includes(wanted) ? path.join(".") : null;
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [key, child] of Object.entries(value)) {
    const found = findField(child, wanted, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}
