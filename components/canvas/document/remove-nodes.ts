import type { Definition, GraphEdge } from "#lib/contract/graph";
import { connectNodes } from "@/components/canvas/document/connect-nodes";

/**
 * The definition without these nodes and edges. A single removed step in the middle of a line is healed: what led to it
 * leads on to what followed, so that deleting a step does not tear the workflow in two.
 */
export function removeElements(
  definition: Definition,
  nodeIds: ReadonlySet<string>,
  edgeIds: ReadonlySet<string> = new Set(),
): Definition {
  const edges = definition.edges.filter(
    (edge) => !edgeIds.has(edge.id) && !nodeIds.has(edge.source) && !nodeIds.has(edge.target),
  );
  const rest = { nodes: definition.nodes.filter((node) => !nodeIds.has(node.id)), edges };
  const [only] = nodeIds;
  if (nodeIds.size !== 1 || only === undefined) return rest;
  return heal(
    rest,
    definition.edges.filter((edge) => !edgeIds.has(edge.id)),
    only,
  );
}

/** Joins what led to the removed node with the one node that followed it. Several followers mean several meanings: left open. */
function heal(rest: Definition, before: readonly GraphEdge[], removedId: string): Definition {
  const followers = before.filter((edge) => edge.source === removedId);
  const follower = followers[0];
  if (follower === undefined || followers.length !== 1) return rest;
  return before
    .filter((edge) => edge.target === removedId)
    .reduce(
      (definition, edge) =>
        connectNodes(definition, { source: edge.source, sourceHandle: edge.sourceHandle, target: follower.target }),
      rest,
    );
}
