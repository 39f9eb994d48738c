import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";

/** The input of every benchmark's action. */
export const INPUT = { name: "Ada", n: 1 };

function node(id: string, type: GraphNode["type"], data: JsonObject): GraphNode {
  return { id, type, data, position: { x: 0, y: 0 } };
}

function textNode(id: string, value: string): GraphNode {
  return node(id, "transform", { fields: [{ name: "text", value }] });
}

const start = node("start", "action_input", {
  properties: [
    { name: "name", type: "string", required: true },
    { name: "n", type: "number", required: true },
  ],
});
const first = textNode("first", "Hello {{start.name}}");
const check = node("check", "condition", {
  match: "all",
  rules: [{ left: "{{start.n}}", operator: "greater_than", right: 0 }],
});

const second = textNode("second", "{{first.text}}, number {{start.n}}");

/** Connects the nodes in a line, followed by a node that returns `answer`. */
function lineOf(answer: string, ...line: GraphNode[]): Definition {
  const out = node("out", "return_output", { properties: [{ name: "text", type: "string", value: answer }] });
  const nodes = [...line, out];
  const edges = nodes.slice(1).map((target, index) => {
    const source = nodes[index]?.id ?? "";
    return { id: `e${index}`, source, target: target.id, ...(source === "check" ? { sourceHandle: "true" } : {}) };
  });
  return { nodes, edges };
}

const PURE_STEPS = [start, first, check, second];

/** Transform, condition, transform: steps without side effects. */
export const PURE = lineOf("{{second.text}}", ...PURE_STEPS);

/** Returns a line of transform steps. The last step's text is the output. */
export function lineOfSteps(count: number): Definition {
  const steps = Array.from({ length: count }, (_, index) => textNode(`step${index}`, `${index} {{start.name}}`));
  return lineOf(`{{step${count - 1}.text}}`, start, ...steps);
}

/** The steps of `PURE` and a step of user code over 100 numbers. */
export const WITH_CODE = lineOf(
  "{{compute.sum}}",
  ...PURE_STEPS,
  node("compute", "code", {
    input: { n: "{{start.n}}" },
    source: `export default async (input: { n: number }) => {
  const numbers = Array.from({ length: 100 }, (_, index) => index * input.n);
  return { sum: numbers.reduce((total, value) => total + value, 0) };
}`,
  }),
);

function callOf(url: string, text: string): GraphNode {
  return node("call", "connector", {
    connector: "http",
    operation: "request",
    params: { method: "POST", url, body: { text } },
  });
}

/** Returns the steps of `PURE` and a call to another service. */
export function withHttp(url: string): Definition {
  return lineOf("{{call.body.ok}}", ...PURE_STEPS, callOf(url, "{{second.text}}"));
}

/** The number of items in the loop of `mixed`. */
const LOOP_ITEMS = 20;

/**
 * Returns ten steps of the kinds that real workflows have: a call to another service, user code, a condition, and a
 * loop over 20 items.
 */
export function mixed(url: string): Definition {
  const line = lineOf(
    "{{last.text}}",
    start,
    first,
    callOf(url, "{{first.text}}"),
    node("compute", "code", {
      input: { n: "{{start.n}}" },
      source: `export default async (input: { n: number }) => ({
  items: Array.from({ length: ${LOOP_ITEMS} }, (_, index) => index * input.n),
})`,
    }),
    check,
    second,
    node("each", "loop", { items: "{{compute.items}}", result: "{{line.text}}" }),
    textNode("total", "{{each.count}} lines"),
    textNode("last", "{{second.text}}: {{total.text}}"),
  );
  const body = { ...textNode("line", "{{start.name}} {{each.item}}"), parentId: "each" };
  return { ...line, nodes: [...line.nodes, body] };
}
