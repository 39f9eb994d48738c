import { describe, expect, test } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import type { ConditionOperator } from "#lib/contract/workflow/condition-operators";
import { evaluateRules } from "#lib/core/expressions/evaluate-rules";

function holds(left: unknown, operator: ConditionOperator, right?: unknown): boolean {
  return evaluateRules("all", [{ left, operator, right }]);
}

const yes = { left: 1, operator: "exists", right: undefined } as const;
const no = { left: null, operator: "exists", right: undefined } as const;

test("all requires every rule to match, any requires one", () => {
  expect([evaluateRules("all", [yes, yes]), evaluateRules("all", [yes, no])]).toEqual([true, false]);
  expect([evaluateRules("any", [no, yes]), evaluateRules("any", [no, no])]).toEqual([true, false]);
  expect([evaluateRules("all", []), evaluateRules("any", [])]).toEqual([true, false]);
});

describe("equality", () => {
  test.each([
    [5, "5", true],
    [5, " 5.0 ", true],
    [5, "five", false],
    [0, "", false],
    [0, null, false],
    ["5", "5.0", false],
    ["a", "A", false],
    [true, "TRUE", true],
    [false, "false", true],
    [true, 1, false],
    [null, "null", false],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: "1" }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    ["12345678901234567890", "12345678901234567891", false],
    [1e3, "1e3", true],
    [1, "0x1", false],
    ["", "", true],
    [9007199254740992, "9007199254740993", false],
    [9007199254740992, "9007199254740992", true],
    [9007199254740991, "9007199254740991.0", true],
    [1e21, "1000000000000000000000", true],
    [0.1, "0.10", true],
    [0.1 + 0.2, "0.30000000000000004", true],
    [0.1 + 0.2, "0.3", false],
    [1e-7, "1E-7", true],
    [-0, "0.0", true],
    [0, "-0", true],
    [0, "1e-400", false],
    [1, "1,0", false],
    [1, "1_0", false],
    [16, "0b10000", false],
    ["Infinity", "Infinity", true],
    [0.1, "0.1000000000000000055511151231257827", true],
    [Number("8202522731445525542"), "8202522731445525542", false],
  ])("%j and %j", (left, right, equal) => {
    expect(holds(left, "equals", right)).toBe(equal);
    expect(holds(right, "equals", left)).toBe(equal);
    expect(holds(left, "not_equals", right)).toBe(!equal);
  });
});

describe("order", () => {
  test.each([
    [2, 10],
    ["2", "10"],
    [2, "10"],
    ["-1.5", ".5"],
    ["apple", "banana"],
    ["2024-01-02", "2024-01-10"],
    ["2024-01-01T12:00:00+02:00", "2024-01-01T11:00:00Z"],
    ["2024-01-01", "2024-01-01T00:00:00.001Z"],
    ["9007199254740992", "9007199254740993"],
    ["-9007199254740993", "-9007199254740992"],
    [9007199254740992, "9007199254740993"],
    ["8202522731445525541", "8202522731445525542.0"],
    ["1e400", "1e401"],
    ["1", "1.00000000000000001"],
    ["9007199254740991.1", "9007199254740991.2"],
    ["0.1", "0.10000000000000000001"],
    ["-18446744073709551616", "-18446744073709551615"],
    ["000000000000000000012", "13"],
    ["2024-01-01T00:00:00.000100Z", "2024-01-01T00:00:00.000200Z"],
    ["2024-01-01T00:00:00.0009Z", "2024-01-01T00:00:00.001Z"],
    ["2024-01-01T02:00:00.1234561+02:00", "2024-01-01T00:00:00.1234562Z"],
    ["2024-01-01T12:00:00+02", "2024-01-01T11:00:00Z"],
    ["2024-01-01 12:00:00.5+02", "2024-01-01T10:00:00.6Z"],
    ["2024-01-01t10:00:00z", "2024-01-01T12:00:00+01:00"],
    ["2024-02-29", "2024-03-01"],
    // No such day, so the texts are compared.
    ["2024-02-30", "2024-03-01"],
    ["2024-02-30T00:00:00Z", "2024-03-01T00:00:00Z"],
    ["0001-01-01", "0099-12-31"],
    ["2024-01-01", "9999-12-31"],
    ["2024-01-01T10:00", "2024-01-01T11:00"],
    ["0.1", "0.100000000000000000000000000001"],
    ["-0.100000000000000000000000000001", "-0.1"],
    ["123456789012345678901234567890.1", "123456789012345678901234567890.2"],
    ["0", "1e-400"],
    [1e20, "100000000000000000001"],
    ["2026-02-30", "2026-03-01T00:00:00Z"],
    ["2026-12-31T24:00:00Z", "2026-12-31T25:00:00Z"],
  ])("%j is less than %j", (less, more) => {
    expect(holds(less, "less_than", more)).toBe(true);
    expect(holds(less, "less_or_equal", more)).toBe(true);
    expect(holds(less, "greater_than", more)).toBe(false);
    expect(holds(more, "greater_than", less)).toBe(true);
    expect(holds(more, "greater_or_equal", less)).toBe(true);
    expect(holds(more, "less_or_equal", less)).toBe(false);
  });

  test("equal values are neither less nor greater", () => {
    expect(holds("5", "less_than", 5)).toBe(false);
    expect(holds("5", "less_or_equal", 5)).toBe(true);
    expect(holds("2024-01-01T00:00:00Z", "greater_or_equal", "2024-01-01T02:00:00+02:00")).toBe(true);
    for (const [one, other] of [
      ["2024-01-01T00:00:00.1Z", "2024-01-01T01:00:00.1000+01"],
      ["1.0", "1"],
      ["1e2", "100.00"],
      ["-0", "0"],
      ["9007199254740993", "9007199254740993.0"],
    ] as const) {
      expect(holds(one, "less_than", other) || holds(one, "greater_than", other)).toBe(false);
      expect(holds(one, "less_or_equal", other) && holds(one, "greater_or_equal", other)).toBe(true);
    }
  });

  test.each([
    [null, 1],
    [1, null],
    [1, "one"],
    [true, 0],
    [[1], [2]],
    [{}, {}],
    [undefined, undefined],
  ])("%j and %j have no order, so no comparison is true", (left, right) => {
    for (const operator of ["less_than", "less_or_equal", "greater_than", "greater_or_equal"] as const) {
      expect(holds(left, operator, right)).toBe(false);
    }
  });
});

describe("parts", () => {
  test.each([
    ["hello", "ell", true],
    [["", "a"], "", true],
    [{ "": 1 }, "", true],
    [["9007199254740993"], "9007199254740993", true],
    [[9007199254740992], "9007199254740993", false],
    [12345, "34", true],
    [true, "ru", true],
    [[1, "2", { a: 1 }], "1", true],
    [[1, "2", { a: 1 }], 2, true],
    [[1, "2", { a: 1 }], { a: 1 }, true],
    [["abc"], "b", false],
    [{ key: 1 }, "key", true],
    [{ key: 1 }, "toString", false],
  ])("%j contains %j: %j", (left, right, expected) => {
    expect(holds(left, "contains", right)).toBe(expected);
    expect(holds(left, "not_contains", right)).toBe(!expected);
  });

  test("starts_with and ends_with compare text", () => {
    expect(holds("hello", "starts_with", "he")).toBe(true);
    expect(holds("hello", "starts_with", "el")).toBe(false);
    expect(holds("hello", "ends_with", "lo")).toBe(true);
    expect(holds(2024, "starts_with", 20)).toBe(true);
    expect(holds(null, "starts_with", "")).toBe(false);
    expect(holds(["a"], "ends_with", "a")).toBe(false);
  });
});

const COMPARISONS = [
  "equals",
  "greater_than",
  "greater_or_equal",
  "less_than",
  "less_or_equal",
  "contains",
  "starts_with",
  "ends_with",
  "matches",
] as const;

describe("nothing matches nothing", () => {
  const present = ["abc", "", 0, 5, true, false, [], [null], ["abc"], {}, { null: 1, undefined: 1, "": 1 }];

  test.each(COMPARISONS)("%s is false if a side is null or missing", (operator) => {
    for (const absent of [null, undefined]) {
      for (const value of [...present, null, undefined]) {
        expect(holds(value, operator, absent), JSON.stringify(value)).toBe(false);
        expect(holds(absent, operator, value), JSON.stringify(value)).toBe(false);
      }
    }
  });

  test.each(["not_equals", "not_contains"] as const)("%s is true if a side is null or missing", (operator) => {
    for (const absent of [null, undefined]) {
      for (const value of [...present, null, undefined]) {
        expect(holds(value, operator, absent), JSON.stringify(value)).toBe(true);
        expect(holds(absent, operator, value), JSON.stringify(value)).toBe(true);
      }
    }
  });

  test.each(["contains", "starts_with", "ends_with", "matches"] as const)(
    "%s is false for an empty text, so an empty allowed value lets no one through",
    (operator) => {
      for (const value of ["abc", "", 5, true]) expect(holds(value, operator, "")).toBe(false);
    },
  );

  test("not_contains is true for an empty text, and equals still compares it", () => {
    expect(holds("abc", "not_contains", "")).toBe(true);
    expect(holds("", "equals", "")).toBe(true);
    expect(holds("abc", "not_equals", "")).toBe(true);
  });

  test("a value inside of a side may be null", () => {
    expect(holds({ a: null }, "equals", { a: null })).toBe(true);
    expect(holds([[null]], "contains", [null])).toBe(true);
  });
});

describe("patterns", () => {
  test("a pattern matches anywhere in the text unless it is anchored", () => {
    expect(holds("order 42", "matches", "\\d+")).toBe(true);
    expect(holds("order 42", "matches", "^\\d+$")).toBe(false);
    expect(holds("ORDER", "matches", "(?i)order")).toBe(true);
    expect(holds(42, "matches", "^4")).toBe(true);
    expect(holds("Привет", "matches", "^\\p{Cyrillic}+$")).toBe(true);
    expect(holds(null, "matches", ".*")).toBe(false);
  });

  test.each(["(a", "a{1001}", "(?=a)", "(a)\\1", "x".repeat(1_001)])(
    "the pattern %s is refused with a reason",
    (pattern) => {
      expect(() => holds("a", "matches", pattern)).toThrow(StepError);
      expect(() => holds("a", "matches", pattern)).toThrow(/pattern/);
    },
  );

  test("patterns with exponential time in other engines finish, and a text that is too long for its pattern is refused", () => {
    const text = `${"a".repeat(20_000)}!`;
    for (const pattern of ["^(a+)+$", "^(a|aa)+$", "^(.*a){10}$", "(a*)*b"]) {
      expect(holds(text, "matches", pattern)).toBe(false);
    }
    expect(() => holds("ab".repeat(500_000), "matches", "[ab]*a[ab]{200}[cd]")).toThrow(/too long/);
  });
});

test("null and empty texts, lists and objects are empty, but zero and false are not", () => {
  for (const value of [null, undefined, "", [], {}]) expect(holds(value, "is_empty")).toBe(true);
  for (const value of [0, false, " ", [null], { a: null }]) expect(holds(value, "is_not_empty")).toBe(true);
});

test("is_true and is_false accept booleans and their words", () => {
  expect(["true", true, "True "].every((value) => holds(value, "is_true"))).toBe(true);
  expect(["false", false].every((value) => holds(value, "is_false"))).toBe(true);
  for (const value of [1, 0, "yes", "", null, []]) {
    expect(holds(value, "is_true") || holds(value, "is_false")).toBe(false);
  }
});

test("null does not exist", () => {
  expect([0, false, "", []].every((value) => holds(value, "exists"))).toBe(true);
  expect(holds(null, "exists")).toBe(false);
  expect(holds(undefined, "exists")).toBe(false);
});

test("contains reads each object of a long list only once", () => {
  const wanted = { text: "x".repeat(100_000) };
  const items = Array.from({ length: 20_000 }, (_, index) => ({ index }));
  expect(holds(items, "contains", wanted)).toBe(false);
});
