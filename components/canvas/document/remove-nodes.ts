import type { Definition, GraphEdge } from "#lib/contract/graph";
import { connectNodes } from "@/components/canvas/document/connect-nodes";
import { outermostOf, withBodies } from "@/components/canvas/document/frames";

/**
 * The definition without these nodes and edges; a loop goes with its body. A single removed step in the middle of a line is healed: what led to it
 * leads on to what followed, so that deleting a step does not tear the workflow in two.
 */
export function removeElements(
  definition: Definition,
  nodeIds: ReadonlySet<string>,
  edgeIds: ReadonlySet<string> = new Set(),
): Definition {
  const gone = withBodies(definition, nodeIds);
  const edges = definition.edges.filter(
    (edge) => !edgeIds.has(edge.id) && !gone.has(edge.source) && !gone.has(edge.target),
  );
  const rest = { nodes: definition.nodes.filter((node) => !gone.has(node.id)), edges };
  const [only, ...others] = outermostOf(definition, nodeIds);
  if (others.length > 0 || only === undefined) return rest;
  return heal(
    rest,
    definition.edges.filter((edge) => !edgeIds.has(edge.id)),
    only,
  );
}

/** Joins what led to the removed node with the one node that followed it. Several followers mean several meanings: left open. */
export function heal(rest: Definition, before: readonly GraphEdge[], removedId: string): Definition {
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
