import { describe, expect, it } from "vitest";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import { readFormValues, toFormErrors, toFormValues } from "@/components/features/actions/try-form-values";

const SCHEMA: InputSchema = {
  type: "object",
  properties: {
    name: { type: "string" },
    note: { type: "string" },
    amount: { type: "number" },
    level: { type: "integer", enum: [1, 2] },
    kind: { type: "string", enum: ["a", "b"] },
    urgent: { type: "boolean" },
    tags: { type: "array" },
    extra: { type: "object" },
  },
  required: ["name"],
};

it("an input survives the round trip through the form", () => {
  const input = { name: "Ann", amount: 1.5, level: 2, kind: "b", urgent: false, tags: ["x", 1], extra: { a: null } };
  expect(readFormValues(SCHEMA, toFormValues(SCHEMA, input))).toEqual({ input, errors: {} });
});

describe("readFormValues", () => {
  it("omits empty fields, but sends an empty required text for the server to judge", () => {
    expect(readFormValues(SCHEMA, {}).input).toEqual({ name: "" });
  });

  it("accepts a decimal comma", () => {
    for (const [text, amount] of [
      ["12,5", 12.5],
      ["-0,125", -0.125],
      ["1234,567", 1_234.567],
      [" 7 ", 7],
    ] as const) {
      expect(readFormValues(SCHEMA, { name: "x", amount: text }).input).toEqual({ name: "x", amount });
    }
  });

  it.each([
    ["amount", "abc", "Enter a number."],
    ["amount", "Infinity", "Enter a number."],
    ["amount", "0x10", "Enter a number."],
    ["amount", "1_000", "Enter a number."],
    ["amount", "1.234,5", "Enter a number."],
    // A thousand, or a little more than one.
    ["amount", "1,234", "Enter a number."],
    ["amount", "9007199254740993", "This number has more digits than a number can keep. Put it in quotes."],
    ["tags", "[9007199254740993]", "The number at 0 has more digits than a number can keep. Put it in quotes."],
    [
      "extra",
      '{"order": {"id": 8202522731445525542}}',
      "The number at order.id has more digits than a number can keep. Put it in quotes.",
    ],
    ["extra", '{"n": 1e400}', "The number at n has more digits than a number can keep. Put it in quotes."],
    ["tags", "{}", "Enter a JSON array such as [1, 2]."],
    ["extra", "[", 'Enter a JSON object such as {"key": "value"}.'],
  ])("reports the error of %s = %s", (field, text, message) => {
    expect(readFormValues(SCHEMA, { name: "x", [field]: text }).errors).toEqual({ [field]: message });
  });
});

it("a nested error is shown at its field, with the path", () => {
  const detail = (field: string) => ({ field, pointer: "", code: "type", message: "must be a string" });
  expect(toFormErrors(SCHEMA, [detail("name"), detail("tags[1]"), detail("extra.deep"), detail("unknown")])).toEqual({
    name: "must be a string",
    tags: "tags[1]: must be a string",
    extra: "extra.deep: must be a string",
  });
});
