import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { withoutPlace } from "#lib/core/steps/code/place-in-field";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { NO_SURROUNDINGS } from "#lib/domain/workflows/checks/load-surroundings";

const start = completeNode("start", "action_input", {
  properties: [
    { name: "order", type: "object" },
    { name: "lines", type: "array" },
  ],
});

function found(type: "code" | "transform", data: object, value: unknown = 1): string[] {
  return problemsOf(type, data, value).map(({ severity, code, message }) => `${severity} ${code} ${message}`);
}

function problemsOf(type: "code" | "transform", data: object, value: unknown) {
  // What is passed without being read is no problem.
  const input = type === "code" ? { input: { a: 1, b: 2, amount: 3 } } : {};
  const work = { ...completeNode("work", type), data: { ...input, ...data } };
  const first = completeNode("first", "transform", { fields: [{ name: "total", value: 1 }] });
  const end = completeNode("end", "return_output", { properties: [{ name: "x", type: "string", value }] });
  const graph = definition([start, first, work, end], ["start > first", "first > work", "work > end"]);
  return findProblems(graph, null, NO_SURROUNDINGS).filter(({ code }) => code !== "TYPE_MISMATCH");
}

const code = (source: string, value?: unknown) => found("code", { source }, value);
const jsonata = (text: string) => found("transform", { jsonata: text });

test.each([
  ["return { a: ;", "source line 1, column 13: Expression expected"],
  ["const a = 1;\nreturn a +* 2", "source line 2"],
  ["export default (input) => {\n  const x = ;\n  return 1;\n}", "source line 2, column 13: Expression expected"],
  ["return { total: input.amount", "source line 1"],
])("code that does not parse is an error with its line: %j", (source, words) => {
  const [problem, ...others] = code(source);
  expect(others).toEqual([]);
  expect(problem).toContain(`error SYNTAX_ERROR work: ${words}`);
});

test("a syntax error has its line and column as numbers, and its words without them", () => {
  const source = "const a = 1;\nconst b = ;";
  const [problem] = problemsOf("code", { source }, 1);
  expect(problem).toMatchObject({ field: "source", line: 2, column: 11 });
  const place = { line: 2, column: 11 };
  expect(withoutPlace(problem?.message ?? "", "source", place)).toBe("Expression expected");
  expect(problemsOf("transform", { jsonata: "{\n 'a': [" }, 1)).toMatchObject([{ field: "jsonata", line: 2 }]);
});

const LONG = "9007199254740993 has more digits than a number can keep. Write";

test.each([
  ["const id = 9007199254740993;\nreturn id;", "line 1, column 12"],
  ["return {\n  id: -9007199254740993,\n};", "line 2, column 8"],
  ["export default (input: { a: number }) => input.a === 9007199254740993;", "line 1, column 54"],
])("a number that code would round is an error with its place and its fix: %j", (source, place) => {
  const words = `${LONG} 9007199254740993n, or "9007199254740993"`;
  expect(code(source)).toEqual([`error LONG_NUMBER work: source ${place}: ${words}`]);
});

test.each([
  ["start.order[id = 9007199254740993].total", "line 1, column 18"],
  ["{\n  'id': 9007199254740993\n}", "line 2, column 9"],
  ["$string(-9007199254740993)", "line 1, column 10"],
])("a number that JSONata would round is an error with its place and its fix: %j", (text, place) => {
  expect(jsonata(text)).toEqual([`error LONG_NUMBER work: jsonata ${place}: ${LONG} "9007199254740993"`]);
});

test.each([
  "9007199254740993n",
  "9_007_199_254_740_993n",
  "9007199254740992",
  "10000000000000000",
  "1e21",
  "0xffffffffffffffff",
  "0.12345678901234567890",
  '"9007199254740993"',
])("a number that stays as it is written is no problem in code: %s", (literal) => {
  expect(code(`return String(${literal})`)).toEqual([]);
});

test.each([
  ["a body", "return input"],
  ["a module with types", "export default async (input: { a: number }): Promise<{ a: number }> => ({ a: input.a });"],
  ["the words of a module in a text", "return 'export default';"],
  ["await in a body", "const x = await Promise.resolve(1); return { x };"],
  ["code that is nested very deeply", `return ${"[".repeat(5_000)}${"]".repeat(5_000)};`],
  ["an endless sum", `return ${"1+".repeat(10_000)}1;`],
  ["an unknown result", "const x = JSON.parse(input.a); return x;"],
])("code that can run has no problem: %s", (_, source) => {
  expect(code(source, "{{work}}")).toEqual([]);
});

test("code whose parse would take seconds or overflow the stack is not checked, and does not fail the check", () => {
  expect(code(`return ${"-".repeat(30_000)}1`)).toEqual([]);
  expect(code(`return a${"*".repeat(30_000)}`)).toEqual([]);
});

test("code that can be nested deeply behind its first error is not checked", () => {
  const wrong = "return { a: ;\n";
  expect(code(wrong + "b(1);\n".repeat(100))).toEqual([expect.stringContaining("source line 1, column 13")]);
  expect(code(wrong + "b(1);\n".repeat(200))).toEqual([]);
});

test.each([
  ["return { total: 1, 'net': 2 };", "{{work.totl}}", true],
  ["return { total: 1, 'net': 2 };", "{{work.net}}", false],
  ["if (input.a) return { a: 1 };\nreturn { b: 2 };", "{{work.a}}", false],
  ["if (input.a) return { a: 1 };\nreturn { b: 2 };", "{{work.c}}", true],
  ["const f = () => { return { z: 1 } };\nreturn { a: f() };", "{{work.z}}", true],
  ["return { ...input };", "{{work.any}}", false],
  ["return { [input.a]: 1 };", "{{work.any}}", false],
  ["return { a: 1, toJSON() { return { any: 1 } } };", "{{work.any}}", false],
  ["return { get a() { return 1 } };", "{{work.a}}", false],
  ["const a = 1; return { a };", "{{work.a}}", false],
  ["return { a: { b: 'x' } };", "{{work.a.c}}", true],
  ["return { a: input.b };", "{{work.a.c}}", false],
  ["return { a: 1 } as Record<string, unknown>;", "{{work.any}}", false],
  ["export default async function (input) { return { a: 1 }; }", "{{work.b}}", true],
  ["export default (input) => ({ a: 1 });", "{{work.b}}", true],
  ["export default (input) => ({ a: 1 });", "{{work.a}}", false],
  ["export default main;\nfunction main() { return { a: 1 }; }", "{{work.b}}", false],
])("returned literals declare the output of code: %j, %s", (source, value, isWrong) => {
  const problems = code(source, value);
  if (isWrong) expect(problems).toEqual([expect.stringContaining("error UNKNOWN_FIELD")]);
  else expect(problems).toEqual([]);
});

test.each([
  ["action_input.order.id & first.total"],
  ["{ 'a': $sum(action_input.lines.price), 'b': action_input.lines[qty > 0].{ 'sku': sku, 'x': anything } }"],
  ["$map(action_input.lines, function($l) { $l.sku & whatever })"],
  ["($x := first.total; $x > 1 ? $$.start.order : $uppercase('a'))"],
  ["action_input.lines.price"],
  ["action_input.order.* & first.**.total"],
  ["$keys(action_input.order)"],
  ["$lookup($$, 'first').total"],
  ["$map(action_input.lines, function($l) { $keys($l) })"],
  ["action_input.lines.$keys($)"],
  ["2 * first.total"],
])("JSONata without a mistake has no problem: %s", (text) => {
  expect(jsonata(text)).toEqual([]);
});

test.each([
  ["action_input.lines[", "SYNTAX_ERROR work: jsonata line 1, column 19: Expected"],
  ["{\n  'a': }", "SYNTAX_ERROR work: jsonata line 2"],
  [
    "frist.total",
    'UNKNOWN_REFERENCE work: frist.total in jsonata refers to "frist", which does not exist; did you mean "first"?',
  ],
  ["{ 'a': [$$.nothing] }", "UNKNOWN_REFERENCE"],
  ["end.x", "REFERENCE_NOT_UPSTREAM"],
  [
    "first.totl",
    'UNKNOWN_FIELD work: first.totl in jsonata reads "totl", which first does not have; did you mean "total"?',
  ],
  ["action_input.ordr.id", "UNKNOWN_INPUT_FIELD"],
])("a mistake in JSONata is an error: %s", (text, words) => {
  expect(jsonata(text)).toEqual([expect.stringContaining(`error ${words}`)]);
});

test.each([
  ["*.total", "*"],
  ["**.total", "**"],
  ["$sum(*.total)", "*"],
  ["{ 'all': * }", "*"],
  ["$$.*", "$$.*"],
  ["$keys($$)", "$keys($$)"],
  ["$keys($)", "$keys($)"],
  ["$$ ~> $keys()", "$keys($$)"],
  ["action_input.lines.{ 'k': $spread($$) }", "$spread($$)"],
  ["$each($$, function($v, $k) { $k })", "$each($$)"],
])("JSONata that reads all steps is an error, because it sees only those that it names: %s", (text, whole) => {
  expect(jsonata(text)).toEqual([
    expect.stringContaining(`error WHOLE_INPUT work: ${whole} in jsonata reads all steps`),
  ]);
});

test("programs beyond the limit are not parsed", () => {
  const long = `/* ${"x".repeat(LIMITS.checkedProgramCharacters)} */ return { a: ;`;
  expect(code(long)).toEqual([]);
});

test("code whose types take long to parse reaches the limit sooner", () => {
  expect(code(`${"f(a<b>(c)); ".repeat(20)} return { a: ;`)).toHaveLength(1);
  expect(code(`${"f(a<b>(c)); ".repeat(600)} return { a: ;`)).toEqual([]);
});
