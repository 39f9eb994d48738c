import type { Definition } from "#lib/contract/graph";

/**
 * The nodes that run anew when one of them is replayed (decisions, Replay): the node and everything downstream of it. What
 * a loop does depends on where the change is: one that stands downstream repeats its whole body; one that holds the node
 * repeats what comes after the node in its body, then itself and what follows, while earlier steps of its body stay done.
 * @param stepId a node of the definition
 */
export function rerunNodes({ nodes, edges }: Definition, stepId: string): Set<string> {
  const parentOf = new Map(nodes.map((node) => [node.id, node.parentId]));
  /** Nodes whose own work is done again; a set hands out what is added while it is walked. */
  const repeated = new Set([stepId]);
  /** Loops of which only a part of the body is. */
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
