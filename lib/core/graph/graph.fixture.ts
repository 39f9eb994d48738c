import type { Definition, GraphEdge, GraphNode, NodeType } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";

/** A node for tests; `data` is completed to what the type needs at least. */
export function node(id: string, type: NodeType, data: JsonObject = {}): GraphNode {
  return { id, type, position: { x: 0, y: 0 }, data: { ...LEAST[type], ...data } };
}

const LEAST: Record<NodeType, JsonObject> = {
  action_input: { properties: [] },
  trigger: { kind: "webhook" },
  condition: { match: "all", rules: [{ left: "1", operator: "exists" }] },
  switch: { cases: [{ id: "one", match: "all", rules: [{ left: "1", operator: "exists" }] }] },
  loop: { items: "{{action_input.items}}" },
  delay: { seconds: 1 },
  approval: {},
  sub_workflow: { action_slug: "another-action" },
  code: { source: "return input" },
  transform: { fields: [] },
  connector: { connector: "http", operation: "request", params: {} },
  llm: { connection_id: "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", model: "a-model", prompt: "Hello" },
  return_output: { properties: [] },
};

/** `a > b`, or `a.true > b` for an edge by a handle. */
export function edge(text: string): GraphEdge {
  const [from = "", target = ""] = text.split(">").map((end) => end.trim());
  const [source = "", sourceHandle] = from.split(".");
  return { id: text, source, target, ...(sourceHandle === undefined ? {} : { sourceHandle }) };
}

export function definition(nodes: GraphNode[], edges: string[]): Definition {
  return { nodes, edges: edges.map(edge) };
}
