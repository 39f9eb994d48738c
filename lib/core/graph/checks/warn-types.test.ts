import { expect, test } from "vitest";
import type { PropertyType } from "#lib/contract/wire/json-schema";
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

function problemsOf(type: string, value: unknown) {
  const end = completeNode("end", "return_output", { properties: [{ name: "x", type, value }] });
  return warnTypes(indexGraph({ nodes: [...STEPS, end], edges: [] }));
}

/** Returns the warning for a return property with this type and value; null if there is none. */
function warn(type: string, value: unknown): string | null {
  const [warning] = problemsOf(type, value);
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
  ["number", " 12.5 "],
  ["integer", 12],
  ["boolean", "true"],
  ["string", 12],
  ["object", '{"a":1}'],
  ["array", ["a", "{{shape.total}}"]],
  ["object", { a: "{{shape.total}}" }],
  ["number", null],
  ["number", ""],
])("a field of type %s accepts %s, or the type is unknown", (type, value) => {
  expect(warn(type, value)).toBeNull();
});

test.each<[PropertyType, unknown, string]>([
  ["number", "no expression", '"no expression"'],
  ["integer", "1.5", '"1.5"'],
  ["integer", 1.5, "1.5"],
  ["number", true, "true"],
  ["boolean", "yes", '"yes"'],
  ["boolean", 1, "1"],
  ["array", "a,b", '"a,b"'],
  ["object", [1], "an array"],
  ["string", { a: 1 }, "an object"],
  ["number", "9007199254740993", "a number beyond 2^53"],
])("a value without expressions that fails every run is an error: a field of type %s with %j", (type, value, words) => {
  const [problem] = problemsOf(type, value);
  expect(problem).toMatchObject({
    severity: "error",
    code: "TYPE_MISMATCH",
    field: "properties.0.value",
    message: expect.stringContaining(words),
  });
});

test("a loop over a text or an object without expressions is an error, and over a list it is none", () => {
  const told = (items: unknown) => {
    const nodes = [...STEPS, completeNode("over", "loop", { items })];
    return warnTypes(indexGraph({ nodes, edges: [] })).map(({ severity, field }) => `${severity} ${field}`);
  };
  for (const items of ["few.items", "[1,2]", { a: 1 }, 7, true]) expect(told(items)).toEqual(["error items"]);
  for (const items of ["", null, [], ["a"], "{{few.items}}", ["{{shape.total}}"]]) expect(told(items)).toEqual([]);
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
