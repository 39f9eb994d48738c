import type { GraphEdge, GraphNode } from "#lib/contract/graph";
import { FAILED_HANDLE } from "#lib/core/engine/choose-path";
import type { GraphIndex } from "#lib/core/graph/edges";
import { allBranches, type StepKind } from "#lib/core/steps/define-step-kind";
import { isBypass, isDisabled } from "#lib/core/steps/is-disabled";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/**
 * Returns true if a run that starts at a node certainly reaches another one, whatever branches its steps take. A run that
 * fails or is canceled on the way reaches nothing behind it anyway.
 */
export function alwaysReaches({ nodes, outgoing }: GraphIndex, fromId: string, toId: string): boolean {
  // Until a node is decided, a path back to it proves nothing: in a draft, edges can form a cycle.
  const known = new Map<string, boolean>([[toId, true]]);
  const leads = (id: string): boolean => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, false);
    const node = nodes.get(id);
    const isSure = node !== undefined && everyBranchLeads(node, outgoing.get(id) ?? [], leads);
    known.set(id, isSure);
    return isSure;
  };
  return leads(fromId);
}

function everyBranchLeads(node: GraphNode, edges: readonly GraphEdge[], leads: (id: string) => boolean): boolean {
  if (isDisabled(node)) return edges.some((edge) => isBypass(node, edge) && leads(edge.target));
  const kind: StepKind = STEP_KINDS[node.type];
  const leadsOn = (handle: string | null) =>
    edges.some((edge) => (edge.sourceHandle ?? kind.namelessHandle ?? null) === handle && leads(edge.target));
  const isDrawn = (handle: string | null) =>
    edges.some((edge) => (edge.sourceHandle ?? kind.namelessHandle ?? null) === handle);
  const branches = allBranches(kind, node.data);
  const failed = branches.filter(({ isFailure }) => isFailure && isDrawn(FAILED_HANDLE));
  if (!failed.every(({ handle }) => leadsOn(handle))) return false;
  if (leadsOn(null)) return true;
  // A branch of a waiting step that no one drew ends the run.
  const taken = branches.filter(({ handle, isFailure }) => !isFailure && (kind.effects !== "waits" || isDrawn(handle)));
  return taken.length > 0 && taken.every(({ handle }) => leadsOn(handle));
}
