import { expect, test } from "vitest";
import { CONDITION_OPERATORS, UNARY_OPERATORS } from "#lib/contract/workflow/condition-operators";
import { evaluateRules } from "#lib/core/expressions/evaluate-rules";
import { isNegative, judgeComparison, type Operand } from "#lib/core/expressions/judge-comparison";
import { ANY_OBJECT, listShape, NULL, scalar, shapeOfValue, UNKNOWN, unionShape } from "#lib/core/shapes/shape";

const VALUES = ["", "a", "12", "true", "2026-01-01", 0, 12, 1.5, true, false, [], ["a"], [12], [[1]], {}, { a: 1 }];
const text = { shape: scalar("string") };
const number = { shape: scalar("number") };
const list = { shape: listShape(UNKNOWN) };

function constantOf(value: unknown): Operand {
  const isScalar = typeof value !== "object";
  return { shape: shapeOfValue(value), ...(isScalar ? { constant: value as string | number | boolean } : {}) };
}

test("a rule that can never match, by its types, never matches when it is evaluated", () => {
  let judged = 0;
  for (const left of VALUES) {
    for (const operator of CONDITION_OPERATORS) {
      for (const right of UNARY_OPERATORS.includes(operator) ? [undefined] : VALUES) {
        if (operator === "matches" && typeof right !== "string") continue;
        const known = right === undefined ? { shape: NULL } : constantOf(right);
        for (const side of [constantOf(left), { shape: shapeOfValue(left) }]) {
          if (judgeComparison(side, operator, known, false) !== "never_matches") continue;
          judged += 1;
          const isTrue = evaluateRules("all", [{ left, operator, right }]);
          expect(isTrue, JSON.stringify({ left, operator, right })).toBe(isNegative(operator));
        }
      }
    }
  }
  expect(judged).toBeGreaterThan(100);
});

test.each([
  [number, "greater_than", constantOf("many"), "never_matches"],
  [list, "greater_than", number, "never_matches"],
  [{ shape: scalar("boolean") }, "less_than", UNKNOWN, "never_matches"],
  [list, "starts_with", text, "never_matches"],
  [number, "is_true", { shape: NULL }, "never_matches"],
  [number, "equals", constantOf(""), "never_matches"],
  [{ shape: listShape(scalar("string")) }, "contains", list, "never_matches"],
  [text, "greater_than", constantOf(18), "needs_numeric_text"],
  [number, "less_than", text, "needs_numeric_text"],
  [number, "equals", { shape: NULL }, "compares_nothing"],
  [{ shape: UNKNOWN }, "not_equals", { shape: NULL }, "compares_nothing"],
  [text, "contains", constantOf(""), "compares_nothing"],
  [{ shape: UNKNOWN }, "ends_with", constantOf(""), "compares_nothing"],
  [text, "matches", constantOf(""), "compares_nothing"],
] as const)("%j %s %j is a mistake", (left, operator, right, fault) => {
  expect(judgeComparison(left, operator, "shape" in right ? right : { shape: right }, false)).toBe(fault);
});

test.each([
  [text, "greater_than", constantOf("100")],
  [text, "equals", constantOf(5)],
  [text, "equals", constantOf("")],
  [list, "contains", constantOf("")],
  [{ shape: UNKNOWN }, "contains", constantOf("")],
  [text, "is_empty", { shape: NULL }],
  [number, "greater_than", constantOf("100")],
  [number, "starts_with", constantOf("4")],
  [{ shape: unionShape([scalar("number"), NULL]) }, "is_empty", { shape: NULL }],
  [{ shape: unionShape([scalar("string"), listShape(UNKNOWN)]) }, "starts_with", text],
  [{ shape: ANY_OBJECT }, "contains", constantOf("key")],
  [{ shape: UNKNOWN }, "greater_than", list],
  [{ shape: listShape(UNKNOWN) }, "contains", number],
  [{ shape: scalar("boolean") }, "equals", text],
] as const)("%j %s %j can be meant", (left, operator, right) => {
  expect(judgeComparison(left, operator, right, false)).toBeNull();
});

test("a number that may be absent can be empty", () => {
  expect(judgeComparison(number, "is_empty", { shape: NULL }, true)).toBeNull();
  expect(judgeComparison(number, "is_empty", { shape: NULL }, false)).toBe("never_matches");
});
