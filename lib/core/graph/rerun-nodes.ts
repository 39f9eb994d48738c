import type { Definition } from "#lib/contract/graph";

/**
 * Returns the nodes that run again when one of them is replayed (decisions, Replay): the node and everything downstream
 * of it. A loop downstream repeats its whole body. A loop that contains the node repeats what comes after the node in
 * its body, then itself and what follows, while earlier steps of its body stay done.
 * @param stepId a node of the definition
 */
export function rerunNodes({ nodes, edges }: Definition, stepId: string): Set<string> {
  const parentOf = new Map(nodes.map((node) => [node.id, node.parentId]));
  /** Nodes that run again completely. Iterating the Set includes nodes that are added during the iteration. */
  const repeated = new Set([stepId]);
  /** Loops that repeat only a part of their body. */
  const reopened = new Set<string>();
  const addTargets = (id: string) => {
    for (const edge of edges) if (edge.source === id) repeated.add(edge.target);
  };
  for (const id of repeated) {
    addTargets(id);
    for (const node of nodes) if (node.parentId === id) repeated.add(node.id);
    for (let loop = parentOf.get(id); loop !== undefined && !reopened.has(loop); loop = parentOf.get(loop)) {
      reopened.add(loop);
      addTargets(loop);
    }
  }
  return new Set([...repeated, ...reopened]);
}
