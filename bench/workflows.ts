import type { Definition, GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";

/** What every benchmark's action is called with. */
export const INPUT = { name: "Ada", n: 1 };

function node(id: string, type: GraphNode["type"], data: JsonObject): GraphNode {
  return { id, type, data, position: { x: 0, y: 0 } };
}

const start = node("start", "action_input", {
  properties: [
    { name: "name", type: "string", required: true },
    { name: "n", type: "number", required: true },
  ],
});
const first = node("first", "transform", { fields: [{ name: "text", value: "Hello {{start.name}}" }] });
const check = node("check", "condition", {
  match: "all",
  rules: [{ left: "{{start.n}}", operator: "greater_than", right: 0 }],
});

/** first -> check -> the given node -> out; `answer` is what `out` returns. */
function lineOf(third: GraphNode, answer: string): Definition {
  return {
    nodes: [
      start,
      first,
      check,
      third,
      node("out", "return_output", { properties: [{ name: "text", type: "string", value: answer }] }),
    ],
    edges: [
      { id: "e1", source: "start", target: "first" },
      { id: "e2", source: "first", target: "check" },
      { id: "e3", source: "check", target: third.id, sourceHandle: "true" },
      { id: "e4", source: third.id, target: "out" },
    ],
  };
}

/** Transform, condition, transform: steps that touch nothing outside. */
export const PURE = lineOf(
  node("second", "transform", { fields: [{ name: "text", value: "{{first.text}}, number {{start.n}}" }] }),
  "{{second.text}}",
);

/** The same with a step of user code over 100 numbers. */
export const WITH_CODE = lineOf(
  node("compute", "code", {
    input: { n: "{{start.n}}" },
    source: `export default async (input: { n: number }) => {
  const numbers = Array.from({ length: 100 }, (_, index) => index * input.n);
  return { sum: numbers.reduce((total, value) => total + value, 0) };
}`,
  }),
  "{{compute.sum}}",
);

/** The same with a call to another service. */
export function withHttp(url: string): Definition {
  const params = { method: "POST", url, body: { text: "{{first.text}}" } };
  return lineOf(node("call", "connector", { connector: "http", operation: "request", params }), "{{call.body.ok}}");
}
