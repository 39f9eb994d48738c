import type { Definition, GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";

/** The input of every benchmark's action. */
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

const second = node("second", "transform", { fields: [{ name: "text", value: "{{first.text}}, number {{start.n}}" }] });

/** first -> check -> second -> other given steps -> out, which returns `answer`. */
function lineOf(answer: string, ...more: GraphNode[]): Definition {
  const out = node("out", "return_output", { properties: [{ name: "text", type: "string", value: answer }] });
  const nodes = [start, first, check, second, ...more, out];
  const edges = nodes.slice(1).map((target, index) => {
    const source = nodes[index]?.id ?? "";
    return { id: `e${index}`, source, target: target.id, ...(source === "check" ? { sourceHandle: "true" } : {}) };
  });
  return { nodes, edges };
}

/** Transform, condition, transform: steps without side effects. */
export const PURE = lineOf("{{second.text}}");

/** The same plus a step of user code over 100 numbers. */
export const WITH_CODE = lineOf(
  "{{compute.sum}}",
  node("compute", "code", {
    input: { n: "{{start.n}}" },
    source: `export default async (input: { n: number }) => {
  const numbers = Array.from({ length: 100 }, (_, index) => index * input.n);
  return { sum: numbers.reduce((total, value) => total + value, 0) };
}`,
  }),
);

/** The same plus a call to another service. */
export function withHttp(url: string): Definition {
  const params = { method: "POST", url, body: { text: "{{second.text}}" } };
  return lineOf("{{call.body.ok}}", node("call", "connector", { connector: "http", operation: "request", params }));
}
