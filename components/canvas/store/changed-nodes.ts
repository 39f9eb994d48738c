import type { Definition } from "#lib/contract/graph";

/**
 * Returns the nodes of `after` that are new or have other data than in `before`, so that an undo can show them. Moves
 * don't count.
 */
export function changedNodeIds(before: Definition, after: Definition): string[] {
  const known = new Map(before.nodes.map((node) => [node.id, node]));
  return after.nodes.filter((node) => known.get(node.id)?.data !== node.data).map((node) => node.id);
}
