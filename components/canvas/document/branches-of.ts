import type { GraphEdge, GraphNode } from "#lib/contract/graph";
import type { Branch } from "#lib/core/steps/define-step-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/**
 * Returns a node's branches: those of its kind, and any other that an edge leaves by, so that no edge is invisible. A draft
 * from elsewhere may use a branch that is gone, and every node also has the nameless one.
 * @param edges all of them, or those that leave the node
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

/** True when nothing follows the node: the run, or its iteration, ends there. */
export function isEnd({ type, data }: GraphNode): boolean {
  return STEP_KINDS[type].branches(data).length === 0;
}
