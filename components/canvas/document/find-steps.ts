import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

export interface StepMatch {
  nodeId: string;
  /** Path of the match in the node's data, as problems name fields; null for a match in its name, id or kind. */
  field: string | null;
}

/**
 * Returns the steps that contain a text, in the given order and each once: by name, id or kind, or by the first field
 * that matches.
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

/** Returns the path of the first text or number that contains the search text. Never searches a trigger's secret. */
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
