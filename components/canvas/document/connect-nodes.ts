import { LIMITS } from "#lib/contract/limits";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { type GraphIndex, upstreamIds } from "#lib/core/graph/edges";
import { type Connection, createEdge, isSameWay } from "#lib/core/graph/edits/create-edge";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { branchesOf } from "@/components/canvas/document/branches-of";
import { frameOfNode, framesOf } from "@/components/canvas/document/frames";
import { reaches } from "@/components/canvas/document/step-order";

/** Returns why two nodes can't be connected, as a sentence for the user, or null when they can. */
export function connectionRefusal(definition: Definition, connection: Connection): string | null {
  const source = definition.nodes.find((node) => node.id === connection.source);
  const target = definition.nodes.find((node) => node.id === connection.target);
  if (source === undefined || target === undefined) return "This step no longer exists.";
  if (source.id === target.id) return "A step can't connect to itself.";
  if (!STEP_KINDS[target.type].hasInput)
    return `You can't connect a step to ${STEP_KINDS[target.type].title} because runs start there.`;
  if (frameOfNode(definition, source.id) !== frameOfNode(definition, target.id)) {
    return "Lines can't cross the border of a loop.";
  }
  const handle = connection.sourceHandle ?? null;
  if (!branchesOf(source, definition.edges).some((output) => output.handle === handle)) {
    return `${STEP_KINDS[source.type].title} has no such branch.`;
  }
  if (definition.edges.some((edge) => isSameWay(edge, connection))) return "These steps are already connected.";
  if (reaches(definition.edges, target.id, source.id))
    return "This would create a cycle, and runs only move forward. Use a loop to repeat steps.";
  if (definition.edges.length >= LIMITS.graphEdges)
    return `A workflow can have up to ${LIMITS.graphEdges} connection lines.`;
  return null;
}

/** Returns every node that a branch may lead to, in one pass over the graph instead of one search per node. */
export function connectableTargets(index: GraphIndex, sourceId: string, sourceHandle: string | null): GraphNode[] {
  const before = upstreamIds(index, sourceId);
  const leaving = index.outgoing.get(sourceId) ?? [];
  const { frameOf } = framesOf(index.definition);
  return [...index.nodes.values()].filter((node) => {
    if (node.id === sourceId || before.has(node.id) || !STEP_KINDS[node.type].hasInput) return false;
    if (frameOf.get(node.id) !== frameOf.get(sourceId)) return false;
    return !leaving.some((edge) => isSameWay(edge, { source: sourceId, sourceHandle, target: node.id }));
  });
}

/** Returns the definition with the connection added, or the same definition when the connection isn't allowed. */
export function connectNodes(definition: Definition, connection: Connection): Definition {
  if (connectionRefusal(definition, connection) !== null) return definition;
  return { ...definition, edges: [...definition.edges, createEdge(definition.edges, connection)] };
}
