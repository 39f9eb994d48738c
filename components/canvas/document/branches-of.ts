import type { GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import { allBranches, type Branch } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/**
 * Returns a node's branches: those of its kind, any other branch that an edge uses, so that every edge is visible, and
 * the one that a run takes when the step has failed.
 * A draft from elsewhere may use a branch that no longer exists, and every node also has the unnamed branch.
 * @param edges all edges, or only those that leave the node
 */
export function branchesOf(node: GraphNode, edges: readonly GraphEdge[]): readonly Branch[] {
  const kind = STEP_KINDS[node.type];
  const branches = kind.branches(node.data);
  const failed = allBranches(kind, node.data).slice(branches.length);
  const known = new Set([...branches, ...failed].map((branch) => branch.handle));
  const others: Branch[] = [];
  for (const edge of edges) {
    const handle = edge.sourceHandle ?? null;
    if (edge.source !== node.id || known.has(handle)) continue;
    known.add(handle);
    others.push({ handle, label: handle ?? (branches.length > 0 ? "Always" : "") });
  }
  return [...branches, ...others, ...failed];
}

/** Returns the branches that a drawing shows at rest: Failed only if an edge starts there. */
export function drawnBranches(node: GraphNode, edges: readonly GraphEdge[]): readonly Branch[] {
  const isUsed = ({ handle }: Branch) => edges.some((edge) => edge.source === node.id && edge.sourceHandle === handle);
  return branchesOf(node, edges).filter((branch) => branch.isFailure !== true || isUsed(branch));
}

/** Returns true when no step follows the node, so that the run or its iteration ends there. */
export function isEnd({ type, data }: GraphNode): boolean {
  return STEP_KINDS[type].branches(data).length === 0;
}
