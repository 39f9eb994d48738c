import type { Definition, GraphEdge, GraphNode, NodeType } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** Creates a node for tests, and completes `data` to the minimum that its type needs. */
export function completeNode(id: string, type: NodeType, data: JsonObject = {}): GraphNode {
  return { id, type, position: { x: 0, y: 0 }, data: { ...STEP_KINDS[type].least, ...data } };
}

/** Creates an edge from `a > b`, or from `a.true > b` for an edge with a handle. */
export function edge(text: string): GraphEdge {
  const [from = "", target = ""] = text.split(">").map((end) => end.trim());
  const [source = "", sourceHandle] = from.split(".");
  return { id: text, source, target, ...(sourceHandle === undefined ? {} : { sourceHandle }) };
}

export function definition(nodes: GraphNode[], edges: string[]): Definition {
  return { nodes, edges: edges.map(edge) };
}
