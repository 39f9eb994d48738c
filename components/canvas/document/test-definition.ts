import type { Definition, GraphEdge, GraphNode, NodeType } from "#lib/contract/workflow/graph";

/** Creates a node at a position, for tests. */
export function testNode(
  id: string,
  type: NodeType,
  x: number,
  y: number,
  data: Record<string, unknown> = {},
): GraphNode {
  return { id, type, position: { x, y }, data };
}

/** Creates an edge for tests, from "a", or from "a.true" for a named branch. */
export function testEdge(from: string, target: string): GraphEdge {
  const [source = "", sourceHandle] = from.split(".");
  return { id: `${from}-${target}`, source, target, ...(sourceHandle === undefined ? {} : { sourceHandle }) };
}

/** A definition for tests: an input, a condition, a step on each branch, and an output that both steps lead to. */
export function branchingDefinition(): Definition {
  return {
    nodes: [
      testNode("start", "action_input", 0, 0),
      testNode("over_500", "condition", 0, 180, { name: "Over 500" }),
      testNode("refund", "connector", -160, 380, { name: "Refund" }),
      testNode("decline", "transform", 160, 380, {
        name: "Decline",
        fields: [{ name: "ok", value: "{{over_500.result}}" }],
      }),
      testNode("end", "return_output", 0, 560, {
        properties: [{ name: "code", type: "number", value: "{{ refund.status }} of {{refund.body.over_500}}" }],
      }),
    ],
    edges: [
      testEdge("start", "over_500"),
      testEdge("over_500.true", "refund"),
      testEdge("over_500.false", "decline"),
      testEdge("refund", "end"),
      testEdge("decline", "end"),
    ],
  };
}
