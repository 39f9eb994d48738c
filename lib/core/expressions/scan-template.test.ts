import { expect, test } from "vitest";
import { scanTemplate } from "#lib/core/expressions/scan-template";

/** The parts of a text: strings, and expressions as name and path. */
function parts(text: string): unknown[] {
  return scanTemplate(text).parts.map((part) =>
    typeof part === "string" ? part : part.references.flatMap(({ name, path }) => [name, ...path]),
  );
}

test("a path consists of fields, indexes and quoted keys", () => {
  expect(parts("{{a}}")).toEqual([["a"]]);
  expect(parts("{{a.b[0].c}}")).toEqual([["a", "b", 0, "c"]]);
  expect(parts(`{{a["order id"]['x"y'].z}}`)).toEqual([["a", "order id", 'x"y', "z"]]);
  expect(parts(String.raw`{{a["say \"hi\" \\"]}}`)).toEqual([["a", `say "hi" \\`]]);
  expect(parts("{{http.headers.content-type}}")).toEqual([["http", "headers", "content-type"]]);
  expect(parts("{{a.0.имя.$ref}}")).toEqual([["a", "0", "имя", "$ref"]]);
});

test("spaces and line breaks are allowed between the parts of an expression", () => {
  expect(parts("{{ a . b [ 0 ] [ 'k' ]\n}}")).toEqual([["a", "b", 0, "k"]]);
});

test("text and expressions keep their order", () => {
  expect(parts("Hi {{a.b}}, {{c}}{{d}}!")).toEqual(["Hi ", ["a", "b"], ", ", ["c"], ["d"], "!"]);
  expect(parts("")).toEqual([]);
  expect(parts("}} { } {")).toEqual(["}} { } {"]);
});

test("a backslash makes braces literal", () => {
  expect(parts(String.raw`\{{a}} {{b}}`)).toEqual(["{{a}} ", ["b"]]);
  expect(parts(String.raw`\{{\{{`)).toEqual(["{{{{"]);
});

test("each pair of backslashes before braces is a backslash, and one that is left over makes the braces literal", () => {
  expect(parts(String.raw`C:\\{{a}}`)).toEqual(["C:\\", ["a"]]);
  expect(parts(String.raw`\\\{{a}}`)).toEqual([String.raw`\{{a}}`]);
  expect(parts(String.raw`\\\\{{a}}`)).toEqual([String.raw`\\`, ["a"]]);
  expect(parts(String.raw`{{a}}\\{{b}}\{{c}}`)).toEqual([["a"], "\\", ["b"], "{{c}}"]);
  expect(parts(String.raw`\\{{{a}}}`)).toEqual([String.raw`\{`, ["a"], "}"]);
  expect(parts(String.raw`C:\\dir \\ {{a}}`)).toEqual([String.raw`C:\\dir \\ `, ["a"]]);
});

test("of several braces in a row, the last two open the expression, so JSON can be written around it", () => {
  expect(parts("{{{a}}}")).toEqual(["{", ["a"], "}"]);
  expect(parts('{"x":{{a.b}}}')).toEqual(['{"x":', ["a", "b"], "}"]);
});

const BLOCKS =
  "expressions have no blocks, partials or comments; choose the text with a Condition step, or build it in a Code step";
const FIRST = "the id of a step comes first, as in {{action_input.email}} or {{step_id.field}}";

test.each([
  ["{{", "the id of a step must follow {{"],
  ["{{}}", "the id of a step must follow {{"],
  ["{{ $json.x }}", "the id of a step comes without $, as in {{action_input.email}} or {{step_id.field}}"],
  ["{{ 1 }}", "a value alone needs no braces"],
  ['{{ "text" }}', "a value alone needs no braces"],
  ["{{a ?? }}", "a value must follow ??"],
  ["{{a ?? b", "}} must follow the expression"],
  ["{{upper(a}}", ") must follow the arguments of upper"],
  ["{{upper(,a)}}", "an argument is missing"],
  ["{{upper(a,)}}", "an argument is missing"],
  ["{{upper(a b)}}", ") must follow the arguments of upper"],
  ['{{upper("a)}}', "an argument is missing"],
  ["{{upper(1e5)}}", "an argument is missing"],
  ["{{upper(a).}}", "a field name must follow the dot"],
  [`{{${"f(".repeat(11)}a${")".repeat(11)}}}`, "functions are nested at most 10 deep"],
  [`{{${"a ?? ".repeat(100)}a}}`, "an expression has at most 100 values and functions"],
  [`{{${"a".repeat(65)}}}`, "the id of a step must follow {{"],
  ["{{a", "}} must follow the path"],
  ["{{a}", "}} must follow the path"],
  ["{{a b}}", "}} must follow the path"],
  ["{{a.b}", "}} must follow the path"],
  ["{{a.}}", "a field name must follow the dot"],
  ["{{a..b}}", "a field name must follow the dot"],
  [
    "{{a[]}}",
    'a number or a "key" in quotes must follow [; read a field of every item in a Transform step with JSONata',
  ],
  [
    "{{a[*].b}}",
    'a number or a "key" in quotes must follow [; read a field of every item in a Transform step with JSONata',
  ],
  [
    "{{a[-1]}}",
    'a number or a "key" in quotes must follow [; items are counted from 0, and the last one is last(list)',
  ],
  ["{{#if a}}", BLOCKS],
  ["{{/if}}", BLOCKS],
  ["{{> part}}", BLOCKS],
  ["{{! note }}", BLOCKS],
  ["{{!a}}", "an expression can't use !; compare in a Condition step, or in a Transform step with JSONata"],
  ["{{.a}}", FIRST],
  ["{{~a}}", FIRST],
  ["{{&a}}", FIRST],
  ["{{a[b]}}", 'a number or a "key" in quotes must follow ['],
  ['{{a["b]}}', 'a number or a "key" in quotes must follow ['],
  ["{{a[0}}", "] is missing"],
  [`{{a${".b".repeat(33)}}}`, "a path has at most 32 parts"],
])("%s is literal text, and an error explains why", (text, message) => {
  const template = scanTemplate(text);
  expect(template.parts).toEqual([text]);
  expect(template.errors.map((error) => error.message)).toEqual([message]);
});

const CALCULATE = "calculate in a Transform step with JSONata, or in a Code step";
const COMPARE = "compare in a Condition step, or in a Transform step with JSONata";
test.each([
  ["{{a.b + 1}}", `can't calculate with +; ${CALCULATE} (character 7)`],
  ["{{a * b}}", `can't calculate with *; ${CALCULATE} (character 5)`],
  ["{{2 * a}}", `can't calculate with *; ${CALCULATE} (character 5)`],
  ["{{round(a / b, 2)}}", `can't calculate with /; ${CALCULATE} (character 11)`],
  ["{{a.b > 1}}", `can't use >; ${COMPARE} (character 7)`],
  ["{{a === b}}", `can't use ===; ${COMPARE} (character 5)`],
  ["{{a.b && c}}", `can't use &&; ${COMPARE} (character 7)`],
  ["{{a ? 1 : 2}}", `can't use ?; ${COMPARE} (character 5)`],
  ["{{a or b}}", `can't use or; ${COMPARE} (character 5)`],
  ["{{a.b()}}", "can't call a field; call a function with the value in parentheses: upper(value) (character 6)"],
  ["{{a | upper}}", "can't pass a value on with |; call a function with the value: upper(value) (character 5)"],
])("%s is literal text, and an error says where that is possible", (text, message) => {
  const { parts, errors } = scanTemplate(text);
  expect(parts).toEqual([text]);
  expect(errors.map((error) => error.message)).toEqual([`an expression ${message}`]);
});

test("an error does not hide later expressions", () => {
  const template = scanTemplate("{{a {{b}} {{ {{c.d}}");
  expect(template.parts.filter((part) => typeof part !== "string").map((part) => part.source)).toEqual([
    "{{b}}",
    "{{c.d}}",
  ]);
  expect(template.errors.map((error) => error.source)).toEqual(["{{a {{b}}", "{{ {{c.d}}"]);
});

test("an expression has fallbacks and functions, whose results have paths", () => {
  const [call] = scanTemplate(`{{ first(order.lines ?? null , -1.5, 'it\\'s').sku ?? "a\\nb" ?? true }}`).parts;
  expect(call).toMatchObject({
    root: {
      kind: "fallback",
      operands: [
        {
          kind: "call",
          name: "first",
          args: [
            {
              kind: "fallback",
              operands: [
                { kind: "reference", name: "order", path: ["lines"] },
                { kind: "literal", value: null },
              ],
            },
            { kind: "literal", value: -1.5 },
            { kind: "literal", value: "it's" },
          ],
          path: ["sku"],
        },
        { kind: "literal", value: "a\nb" },
        { kind: "literal", value: true },
      ],
    },
  });
});

test("true, false and null alone are names of steps, as they always were", () => {
  for (const word of ["true", "false", "null"]) {
    expect(parts(`{{${word}}} {{upper(${word}.x)}}`)).toEqual([[word], " ", [word, "x"]]);
  }
});

test("braces and parentheses in quotes belong to the text", () => {
  expect(scanTemplate('{{default(a, "}} ) {{b}}")}}').parts).toHaveLength(1);
});

test("every path is listed with its place, and with whether a missing value has a fallback", () => {
  const [, found] = scanTemplate("x {{ upper(a.b ?? c) ?? join(default( d[0] , e )) }}").parts;
  if (found === undefined || typeof found === "string") throw new Error("not an expression");
  expect(found.references.map(({ start, end, hasFallback }) => [found.source.slice(start, end), hasFallback])).toEqual([
    ["a.b", true],
    ["c", true],
    ["d[0]", true],
    ["e", false],
  ]);
});

test("code is never parsed as an expression", () => {
  for (const text of [
    "{{constructor.constructor('return process')()}}",
    "{{a[`constructor`]}}",
    "{{(() => 1)()}}",
    "{{a.b = 1}}",
    "{{...a}}",
    "{{$input.all()}}",
    "{{= 7*7 }}",
    "{{#with a}}{{/with}}",
  ]) {
    expect(scanTemplate(text).parts).toEqual([text]);
  }
});

test.each([
  "{",
  "{{",
  "{{a",
  "{{a[",
  '{{a["',
  '{{a["b"]',
  "{{ ",
  "{{a.",
  "{{a.b",
  "\\{{",
  "{{a}}",
  '{{a["\\',
  "{{f(",
  "{{f(a,",
  "{{a??",
  '{{"',
  `{{"{{'`,
  '{{f("{{f(",',
  "{{f(f(f(",
])("a megabyte of %s is scanned in one pass", (unit) => {
  const text = unit.repeat(1_000_000 / unit.length);
  const template = scanTemplate(text);
  expect(template.errors.length).toBeLessThanOrEqual(20);
  const read = template.parts.map((part) => (typeof part === "string" ? part : part.source)).join("");
  if (!unit.includes("\\")) expect(read === text).toBe(true);
});
