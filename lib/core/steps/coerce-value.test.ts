import { describe, expect, it } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import type { PropertyType } from "#lib/contract/wire/json-schema";
import { coerceValue } from "#lib/core/steps/coerce-value";

const fits: [PropertyType, unknown, unknown][] = [
  ["string", "a", "a"],
  ["string", 1.5, "1.5"],
  ["string", false, "false"],
  ["number", " -2.5e3 ", -2500],
  ["number", 7, 7],
  ["integer", "3", 3],
  ["integer", "3.0", 3],
  ["integer", 3, 3],
  // The month that format_date writes.
  ["integer", "09", 9],
  ["number", "-007.50", -7.5],
  ["boolean", "true", true],
  ["boolean", "false", false],
  ["object", '{"a":1}', { a: 1 }],
  ["array", "[1]", [1]],
  ["array", [], []],
  ["string", null, null],
  ["object", null, null],
];

const misfits: [PropertyType, unknown][] = [
  ["string", {}],
  ["string", []],
  ["number", "0x10"],
  ["number", ""],
  ["number", "1e"],
  ["number", "0b1"],
  ["number", "Infinity"],
  ["number", "1_000"],
  ["number", "1,5"],
  ["number", "+5"],
  ["number", ".5"],
  ["number", "5."],
  ["number", "5%"],
  ["number", "0x"],
  ["number", "00x1"],
  ["number", " "],
  ["integer", "1e-1"],
  ["number", "1e999"],
  ["number", true],
  ["integer", 3.5],
  ["integer", "3.5"],
  ["boolean", 1],
  ["boolean", "yes"],
  ["object", "[]"],
  ["object", "not JSON"],
  ["object", []],
  ["array", "{}"],
  ["array", {}],
];

describe("values of the output (contract, Errors: VALIDATION_ERROR)", () => {
  it.each(fits)("%s takes %j", (type, value, expected) => {
    expect(coerceValue("total", type, value)).toEqual(expected);
  });

  it.each(misfits)("%s refuses %j, and the error names the field", (type, value) => {
    expect(() => coerceValue("total", type, value)).toThrow(StepError);
    expect(() => coerceValue("total", type, value)).toThrow(new RegExp(`^total must be of type ${type}`));
  });
});

it("a text with a number beyond 2^53 does not become another number", () => {
  for (const [type, value] of [
    ["number", "8202522731445525542"],
    ["integer", "9007199254740993"],
    ["integer", "9007199254740993.0"],
    ["number", "1e400"],
    ["object", '{"id":8202522731445525542}'],
    ["array", "[9007199254740993]"],
  ] as const) {
    expect(() => coerceValue("total", type, value)).toThrow(
      "has a number beyond 2^53, which would lose digits. Declare total as a string",
    );
  }
  expect(() => coerceValue("total", "integer", 2 ** 53)).toThrow("total must be of type integer");
  expect(coerceValue("total", "integer", "9007199254740991")).toBe(9007199254740991);
  expect(coerceValue("total", "number", "0.1")).toBe(0.1);
  expect(coerceValue("total", "string", "8202522731445525542")).toBe("8202522731445525542");
});
