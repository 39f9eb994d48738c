import type { Definition } from "#lib/contract/workflow/graph";

/**
 * Returns the nodes that run again when some of them are replayed (decisions, Replay): the nodes and everything
 * downstream of them. A loop downstream repeats its whole body. A loop that contains one of the nodes repeats what comes
 * after the node in its body, then itself and what follows, while earlier steps of its body stay done.
 * @param stepIds nodes of the definition
 * @param reopenedLoops loops that run again, with what follows them, while their body stays done
 */
export function rerunNodes(
  { nodes, edges }: Definition,
  stepIds: Iterable<string>,
  reopenedLoops: Iterable<string> = [],
): Set<string> {
  const parentOf = new Map(nodes.map((node) => [node.id, node.parentId]));
  /** Nodes that run again completely. Iterating the Set includes nodes that are added during the iteration. */
  const repeated = new Set(stepIds);
  /** Loops that repeat only a part of their body. */
  const reopened = new Set<string>();
  const addTargets = (id: string) => {
    for (const edge of edges) if (edge.source === id) repeated.add(edge.target);
  };
  const reopen = (first: string | undefined) => {
    for (let loop = first; loop !== undefined && !reopened.has(loop); loop = parentOf.get(loop)) {
      reopened.add(loop);
      addTargets(loop);
    }
  };
  for (const loop of reopenedLoops) reopen(loop);
  for (const id of repeated) {
    addTargets(id);
    for (const node of nodes) if (node.parentId === id) repeated.add(node.id);
    reopen(parentOf.get(id));
  }
  return new Set([...repeated, ...reopened]);
}
