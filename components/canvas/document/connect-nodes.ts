import type { Definition, GraphNode } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import { type GraphIndex, upstreamIds } from "#lib/core/graph/edges";
import { type Connection, createEdge, isSameWay } from "#lib/core/graph/edits/create-edge";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { branchesOf } from "@/components/canvas/document/branches-of";
import { frameOfNode, framesOf } from "@/components/canvas/document/frames";
import { reaches } from "@/components/canvas/document/step-order";

/** Why two nodes cannot be connected, as a sentence for the person who tries; null when they can. */
export function connectionRefusal(definition: Definition, connection: Connection): string | null {
  const source = definition.nodes.find((node) => node.id === connection.source);
  const target = definition.nodes.find((node) => node.id === connection.target);
  if (source === undefined || target === undefined) return "That step is gone.";
  if (source.id === target.id) return "A step cannot lead to itself.";
  if (!STEP_KINDS[target.type].hasInput)
    return `Nothing can lead into ${STEP_KINDS[target.type].title}: runs start there.`;
  if (frameOfNode(definition, source.id) !== frameOfNode(definition, target.id)) {
    return "Lines cannot cross the border of a loop.";
  }
  const handle = connection.sourceHandle ?? null;
  if (!branchesOf(source, definition.edges).some((output) => output.handle === handle)) {
    return `${STEP_KINDS[source.type].title} has no such way out.`;
  }
  if (definition.edges.some((edge) => isSameWay(edge, connection))) return "These steps are connected already.";
  if (reaches(definition.edges, target.id, source.id)) return "That would be a circle: runs only go forward.";
  if (definition.edges.length >= LIMITS.graphEdges) return `A workflow holds ${LIMITS.graphEdges} connections at most.`;
  return null;
}

/** Every node an output may lead to, in one pass over the graph rather than one search for each node. */
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

/** The definition with the connection drawn; the same definition when it may not be. */
export function connectNodes(definition: Definition, connection: Connection): Definition {
  if (connectionRefusal(definition, connection) !== null) return definition;
  return { ...definition, edges: [...definition.edges, createEdge(definition.edges, connection)] };
}
