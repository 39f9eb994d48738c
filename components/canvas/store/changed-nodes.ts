import type { Definition } from "#lib/contract/graph";

/** Nodes of `after` that `before` did not hold or held with other data: what an undo should show. Moves do not count. */
export function changedNodeIds(before: Definition, after: Definition): string[] {
  const known = new Map(before.nodes.map((node) => [node.id, node]));
  return after.nodes.filter((node) => known.get(node.id)?.data !== node.data).map((node) => node.id);
}
