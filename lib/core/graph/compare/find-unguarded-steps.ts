import type { Definition, GraphEdge, GraphNode } from "#lib/contract/workflow/graph";
import { indexGraph } from "#lib/core/graph/edges";
import { isDisabled } from "#lib/core/steps/is-disabled";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/**
 * Lists the steps that call something and that a run reached only through an approval before, but can reach without one
 * now: the approval was removed or disabled, its edges were cut, or another path leads around it. If such a step was removed, new steps
 * that a run reaches without an approval count as its replacement.
 */
export function findUnguardedSteps(before: Definition, after: Definition): GraphNode[] {
  const guarded = findGuardedCalls(before);
  const known = new Set(before.nodes.map(({ id }) => id));
  const calls = new Set(after.nodes.filter(isCall).map(({ id }) => id));
  const wasRemoved = [...guarded].some((id) => !calls.has(id));
  const open = findReached(after, "without approval");
  return after.nodes.filter(
    ({ id }) => calls.has(id) && open.has(id) && (guarded.has(id) || (wasRemoved && !known.has(id))),
  );
}

function isCall({ type }: GraphNode): boolean {
  return STEP_KINDS[type].effects === "calls";
}

function findGuardedCalls(definition: Definition): Set<string> {
  const [reached, open] = [findReached(definition, "at all"), findReached(definition, "without approval")];
  const guarded = definition.nodes.filter((node) => isCall(node) && reached.has(node.id) && !open.has(node.id));
  return new Set(guarded.map(({ id }) => id));
}

/**
 * Finds the nodes that a run can reach. A workflow starts at its entry, the body of a loop at every node without an edge
 * into it; a node runs when one of the edges into it was taken.
 */
function findReached(definition: Definition, how: "at all" | "without approval"): Set<string> {
  const { nodes, incoming, outgoing, entry } = indexGraph(definition);
  const bodies = Map.groupBy(definition.nodes, ({ parentId }) => parentId);
  const reached = new Set(entry ? [entry.id] : []);
  // Iterating the Set includes nodes that are added during the iteration.
  for (const id of reached) {
    const node = nodes.get(id);
    for (const inner of bodies.get(id) ?? []) if (incoming.get(inner.id)?.length === 0) reached.add(inner.id);
    for (const edge of outgoing.get(id) ?? []) {
      if (how === "at all" || !isApproved(node, edge)) reached.add(edge.target);
    }
  }
  return reached;
}

/** Returns true for an edge that a run takes only if a person approved. */
function isApproved(source: GraphNode | undefined, { sourceHandle }: GraphEdge): boolean {
  if (source === undefined || isDisabled(source)) return false;
  return source.type === "approval" && (sourceHandle ?? STEP_KINDS.approval.namelessHandle) === "approved";
}
