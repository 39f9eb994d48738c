import { expect, test } from "vitest";
import { describeLongNumber, readTypedJson } from "#lib/core/input/read-typed-json";

test.each([
  ["9007199254740993", "This number has more digits than a number can keep. Put it in quotes."],
  [
    '{"a": {"id": 8202522731445525542}}',
    "The number at a.id has more digits than a number can keep. Put it in quotes.",
  ],
  ["[1, -9007199254740992]", "The number at 1 has more digits than a number can keep. Put it in quotes."],
  [
    '{"b": [{"x": 1e400}], "c": 9007199254740993}',
    "The number at b.0.x has more digits than a number can keep. Put it in quotes.",
  ],
  ["1e-", "This isn't valid JSON."],
  ["{a: 1}", "This isn't valid JSON."],
  ["", "This isn't valid JSON."],
  ["NaN", "This isn't valid JSON."],
  ["0x10", "This isn't valid JSON."],
])("%s can't be sent as it is typed", (text, problem) => {
  expect(readTypedJson(text)).toMatchObject({ value: undefined, problem });
  expect(describeLongNumber(text)).toBe(problem.startsWith("This isn't") ? null : problem);
});

test.each([
  '{"id": "8202522731445525542"}',
  "9007199254740991",
  "0.1",
  "1e20",
  "-0",
  "null",
  '"9007199254740993"',
  "[]",
])("%s is sent as it is typed", (text) => {
  expect(readTypedJson(text)).toEqual({ value: JSON.parse(text), problem: null });
  expect(describeLongNumber(text)).toBeNull();
});

test("a text that is nested deeper than the stack can be read", () => {
  const deep = (inner: string) => "[".repeat(50_000) + inner + "]".repeat(50_000);
  expect(readTypedJson(deep("1")).problem).toBeNull();
});
