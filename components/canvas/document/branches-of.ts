import type { GraphEdge, GraphNode } from "#lib/contract/graph";
import type { Branch } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/**
 * Returns a node's branches: those of its kind, and any other branch that an edge uses, so that every edge is visible.
 * A draft from elsewhere may use a branch that no longer exists, and every node also has the unnamed branch.
 * @param edges all edges, or only those that leave the node
 */
export function branchesOf(node: GraphNode, edges: readonly GraphEdge[]): readonly Branch[] {
  const branches = STEP_KINDS[node.type].branches(node.data);
  const known = new Set(branches.map((branch) => branch.handle));
  const others: Branch[] = [];
  for (const edge of edges) {
    const handle = edge.sourceHandle ?? null;
    if (edge.source !== node.id || known.has(handle)) continue;
    known.add(handle);
    others.push({ handle, label: handle ?? (branches.length > 0 ? "Always" : "") });
  }
  return others.length === 0 ? branches : [...branches, ...others];
}

/** Returns true when no step follows the node, so that the run or its iteration ends there. */
export function isEnd({ type, data }: GraphNode): boolean {
  return STEP_KINDS[type].branches(data).length === 0;
}
