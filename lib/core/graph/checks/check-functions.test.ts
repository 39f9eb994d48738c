import { expect, test } from "vitest";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

/** The problems of a value in a step after the input `amount`, without the place. */
function problemsOf(value: string): string[] {
  const start = completeNode("start", "action_input", {
    properties: [
      { name: "amount", type: "number", required: true },
      { name: "tags", type: "array", required: true },
    ],
  });
  const work = completeNode("work", "transform", { fields: [{ name: "a", value }] });
  const graph = definition([start, work, completeNode("end", "return_output")], ["start > work", "work > end"]);
  return validateGraph(graph).map(({ message }) => message.replace(/^work: \{\{.*\}\} in fields\.0\.value:? /, ""));
}

test.each([
  ["{{uper(start.amount)}}", 'calls "uper", which is not a function; did you mean "upper"?'],
  ["{{upper()}}", "calls upper with 0 arguments instead of upper(text)"],
  ["{{upper(start.amount, 1)}}", "calls upper with 2 arguments instead of upper(text)"],
  ['{{round("x")}}', 'calls round, whose argument "number" must be a number'],
  ["{{first(1)}}", 'calls first, whose argument "list" must be a list'],
  ["{{upper(null)}}", 'calls upper, whose argument "text" must not be null'],
  ["{{round(start.amount, 99)}}", 'calls round, whose argument "decimals" must be a whole number from 0 to 15'],
  [
    '{{format_date(start.amount, "yyyy", "Berlin")}}',
    'calls format_date, whose argument "time_zone" must be an IANA time zone, such as "Europe/Berlin"',
  ],
  [
    '{{format_date("tomorrow", "yyyy")}}',
    'calls format_date, whose argument "date" must be an ISO 8601 date, or milliseconds since 1970',
  ],
  [
    '{{format_date(1700000000, "yyyy")}}',
    'calls format_date, whose argument "date" must be milliseconds since 1970 (from_seconds converts seconds)',
  ],
  [
    "{{from_seconds(1700000000000)}}",
    'calls from_seconds, whose argument "seconds" must be seconds since 1970, not milliseconds',
  ],
])("a draft with %s has the problem: %s", (value, message) => {
  expect(problemsOf(value)).toEqual([message]);
});

test("every path of an expression is checked, and the problem names the path", () => {
  expect(problemsOf("{{start.amont ?? upper(gone.x)}}")).toEqual([
    'start.amont reads "amont", which start does not declare; did you mean "amount"?',
    'gone.x refers to "gone", which does not exist',
  ]);
});

test("correct expressions with fallbacks and functions have no problems", () => {
  for (const value of [
    '{{start.amount ?? "none"}}',
    '{{join(start.tags, ", ")}} of {{format_number(start.amount, 2)}}',
    "{{default(action_input.amount, 0)}}",
    '{{upper(first(start.tags).name ?? "x")}}',
  ]) {
    expect(problemsOf(value)).toEqual([]);
  }
});

test("the fix of a path keeps the rest of the expression", () => {
  const start = completeNode("start", "action_input", { properties: [{ name: "amount", type: "number" }] });
  const work = completeNode("work", "transform", { fields: [{ name: "a", value: '{{round(start.amuont) ?? "x"}}' }] });
  const graph = definition([start, work, completeNode("end", "return_output")], ["start > work", "work > end"]);
  const [problem] = validateGraph(graph);
  expect(JSON.stringify(problem?.fix)).toContain('{{round(start.amount) ?? \\"x\\"}}');
});

test("the type of an expression is the type of its result", () => {
  const start = completeNode("start", "action_input", { properties: [{ name: "amount", type: "number" }] });
  const typed = (value: string, type: string) => {
    const end = completeNode("end", "return_output", { properties: [{ name: "n", type, value }] });
    return validateGraph(definition([start, end], ["start > end"])).map(({ message }) => message);
  };
  expect(typed('{{split("a,b", ",")}}', "array")).toEqual([]);
  expect(typed("{{upper(start.amount)}}", "number").join()).toContain("returns text");
  expect(typed("{{length(start.amount) ?? 1}}", "boolean").join()).toContain("returns a whole number");
});
