import { describe, expect, test } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import { CONDITION_OPERATORS } from "#lib/contract/workflow/condition-operators";
import { evaluateRules } from "#lib/core/expressions/evaluate-rules";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { scanTemplate } from "#lib/core/expressions/scan-template";
import { templateReferences } from "#lib/core/expressions/template-references";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const PIECES = [
  "{{",
  "}}",
  "{",
  "}",
  "[",
  "]",
  ".",
  '"',
  "'",
  " ",
  "\n",
  "0",
  "17",
  "a",
  "b_1",
  "constructor",
  "__proto__",
  "имя",
  "-",
  "$",
  "{{a}}",
  "{{ a.b }}",
  "{{a[0].c}}",
  '{{a["k"]}}',
  "text",
  "{{x.y.z}}",
  "()",
  "upper(",
  "join(",
  ",",
  ")",
  "??",
  "{{a ?? b_1}}",
  "{{upper(x.y.z)}}",
  '{{split(x.y.z, "a")}}',
  "{{json(a)}}",
  "😀",
  "\u0000",
  "\ud800",
] as const;

/** Rounds for each of the five properties: more than a hundred thousand texts in total. */
const ROUNDS = 21_000;

const random = seededRandom(20_240_601);
const text = (pieces: readonly string[] = PIECES) =>
  Array.from({ length: random.below(12) }, () => random.pick(pieces)).join("");
const leaf = () => random.pick([() => text(), () => random.below(100), () => null, () => random.next() < 0.5])();
const scope = () => ({ a: random.json(leaf), b_1: random.json(leaf), x: { y: { z: text() } } });

/** Runs code that may only fail with a StepError. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    expectSame(error instanceof StepError, true);
    return undefined;
  }
}

/** Calls `expect` only to explain a difference, because calling it every time takes longer than the code under test. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected);
}

test("joining the parts of a scanned text gives the original text", () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const source = text();
    const { parts } = scanTemplate(source);
    expectSame(parts.map((part) => (typeof part === "string" ? part : part.source)).join(""), source);
    expectSame(
      parts.some((part, index) => part === "" || (typeof part === "string" && typeof parts[index - 1] === "string")),
      false,
    );
  }
});

test("the source of an expression scans to the same expression on its own", () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const part of scanTemplate(text([...PIECES, "\\"])).parts) {
      if (typeof part === "string") continue;
      const alone = scanTemplate(part.source);
      const wanted = { parts: [{ ...part, start: 0 }], errors: [] };
      if (JSON.stringify(alone) !== JSON.stringify(wanted)) expect(alone).toEqual(wanted);
    }
  }
});

test("any JSON can be resolved as a template, and without references it stays the same", () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const template = random.json(() => text());
    const values = scope();
    const before = JSON.stringify(template);
    const resolved = attempt(() => resolveTemplate(template, values));
    expectSame(JSON.stringify(template), before);
    if (templateReferences(template).length === 0) expectSame(JSON.stringify(resolved), before);
  }
});

test("values in the scope are never evaluated as templates", () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const hostile = text();
    const names = scanTemplate("{{a}} {{x.y.z}}").parts;
    expectSame(resolveTemplate("{{a}}", { a: hostile }), hostile);
    expectSame(resolveTemplate("<{{a}}>", { a: hostile, x: { y: { z: "leaked" } } }), `<${hostile}>`);
    expectSame(names.length, 3);
  }
});

test("any operator with any two values is true, false, or fails with a StepError", () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const rule = { left: random.json(leaf), operator: random.pick(CONDITION_OPERATORS), right: random.json(leaf) };
    const result = attempt(() => evaluateRules(random.pick(["all", "any"]), [rule]));
    if (result !== undefined) expectSame(typeof result, "boolean");
  }
});

describe("a megabyte of hostile text", () => {
  const MEGABYTE = 1 << 20;
  test.each(["{{", "}}", "{{a", "{{a.", "{{a[", '{{a["', "\\{{", "{{a}}", "{", "{{ ", "{{a}} {{", "a.b"])(
    "that repeats %j is scanned and resolved in linear time",
    (unit) => {
      const source = unit.repeat(MEGABYTE / unit.length);
      attempt(() => resolveTemplate(source, { a: "x" }));
      attempt(() => templateReferences(source));
      expect(scanTemplate(source).parts.length).toBeGreaterThan(0);
    },
  );
});
