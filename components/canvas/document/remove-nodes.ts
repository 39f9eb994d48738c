import type { Definition, GraphEdge } from "#lib/contract/workflow/graph";
import { connectNodes } from "@/components/canvas/document/connect-nodes";
import { outermostOf, withBodies } from "@/components/canvas/document/frames";

/**
 * Returns the definition without these nodes and edges; a loop is removed with its body. When a single step in the
 * middle of a line is removed, its predecessors are connected to its successor, so that deleting a step does not cut
 * the workflow in two.
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

/**
 * Connects the predecessors of the removed node to the one node that followed it. With several successors the meaning
 * is unclear, so the lines stay open.
 */
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
