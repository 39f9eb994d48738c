import { expect, test } from "vitest";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { warnTypes } from "#lib/core/graph/checks/warn-types";
import { indexGraph } from "#lib/core/graph/edges";
import { completeNode } from "#lib/core/graph/graph.fixture";

const STEPS = [
  completeNode("start", "action_input", {
    properties: [
      { name: "email", type: "string" },
      { name: "amount", type: "number" },
      { name: "tags", type: "array", items: { type: "string" } },
      { name: "order", type: "object" },
    ],
  }),
  completeNode("ask", "connector"),
  completeNode("big", "condition"),
  completeNode("each", "loop", { items: "{{action_input.tags}}" }),
  completeNode("few", "filter", { items: "{{action_input.tags}}" }),
  completeNode("shape", "transform", {
    fields: [
      { name: "total", value: "{{action_input.amount}}" },
      { name: "line", value: "{{action_input.email}} owes {{action_input.amount}}" },
      { name: "round", value: "{{shape.round}}" },
    ],
  }),
  completeNode("model", "llm", { output_schema: { type: "object", properties: { score: { type: "integer" } } } }),
  completeNode("work", "code"),
];

/** Returns the warning for a return property with this type and value; null if there is none. */
function warn(type: string, value: unknown): string | null {
  const end = completeNode("end", "return_output", { properties: [{ name: "x", type, value }] });
  const [warning] = warnTypes(indexGraph({ nodes: [...STEPS, end], edges: [] }));
  return warning === undefined ? null : `${warning.code} ${warning.node_id} ${warning.field}: ${warning.message}`;
}

const told = (takes: string, gives: string) =>
  `TYPE_MISMATCH end properties.0.value: end: properties.0.value expects ${takes}, but its expression returns ${gives}`;

test.each([
  ["number", "{{action_input.email}}", told("a number", "text, which only works if the text is a number")],
  ["integer", "{{shape.line}}", told("a whole number", "text, which only works if the text is a whole number")],
  ["boolean", "{{ask.status}}", told("true or false", "a whole number")],
  ["string", "{{start.order}}", told("text", "an object")],
  ["string", "{{each.results}}", told("text", "a list")],
  ["object", "{{few.items}}", told("an object", "a list")],
  ["boolean", "{{few.count}}", told("true or false", "a whole number")],
  ["array", "{{big.result}}", told("a list", "true or false")],
  ["object", "{{action_input.tags}}", told("an object", "a list")],
  ["boolean", "{{model.object.score}}", told("true or false", "a whole number")],
  ["number", "{{action_input.tags[0]}}", told("a number", "text, which only works if the text is a number")],
])("a field of type %s warns about %s", (type, value, message) => {
  expect(warn(type, value)).toBe(message);
});

test.each([
  ["number", "{{shape.total}}"],
  ["number", "{{ask.status}}"],
  ["integer", "{{action_input.amount}}"],
  ["string", "{{action_input.amount}}"],
  ["string", "{{big.result}} and {{start.order}}"],
  ["array", "{{action_input.tags}}"],
  // Text from a model may be JSON; the output of a service or of code is only known at run time.
  ["object", "{{model.text}}"],
  ["number", "{{ask.body.n}}"],
  ["number", "{{work.total}}"],
  ["number", "{{nobody.knows}}"],
  ["number", "{{shape.round}}"],
  ["number", "{{ broken"],
  ["number", "no expression"],
])("a field of type %s accepts %s, or the type is unknown", (type, value) => {
  expect(warn(type, value)).toBeNull();
});

test("a loop expects a list and a delay a number, and a warning does not prevent publishing", () => {
  const nodes = [
    ...STEPS,
    completeNode("over", "loop", { items: "{{action_input.email}}" }),
    completeNode("wait", "delay", { seconds: "{{action_input.order}}" }),
  ];
  const definition = { nodes, edges: [] };
  expect(warnTypes(indexGraph(definition)).map(({ node_id, message }) => [node_id, message])).toEqual([
    ["over", "over: items expects a list, but its expression returns text"],
    ["wait", "wait: seconds expects a number, but its expression returns an object"],
  ]);
  const mismatches = validateGraph(definition).filter(({ code }) => code === "TYPE_MISMATCH");
  expect(mismatches.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
});
