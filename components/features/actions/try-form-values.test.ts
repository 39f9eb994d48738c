import { describe, expect, it } from "vitest";
import type { InputSchema } from "#lib/contract/json-schema";
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

it("an input survives the way into the form and back", () => {
  const input = { name: "Ann", amount: 1.5, level: 2, kind: "b", urgent: false, tags: ["x", 1], extra: { a: null } };
  expect(readFormValues(SCHEMA, toFormValues(SCHEMA, input))).toEqual({ input, errors: {} });
});

describe("readFormValues", () => {
  it("leaves out what is empty, but sends an empty required text: whether that fits is the server's to say", () => {
    expect(readFormValues(SCHEMA, {}).input).toEqual({ name: "" });
  });

  it("takes a decimal comma for a point", () => {
    expect(readFormValues(SCHEMA, { name: "x", amount: "12,5" }).input).toEqual({ name: "x", amount: 12.5 });
  });

  it.each([
    ["amount", "abc", "Enter a number."],
    ["amount", "Infinity", "Enter a number."],
    ["tags", "{}", "Enter a JSON array such as [1, 2]."],
    ["extra", "[", 'Enter a JSON object such as {"key": "value"}.'],
  ])("says what is wrong with %s = %s", (field, text, message) => {
    expect(readFormValues(SCHEMA, { name: "x", [field]: text }).errors).toEqual({ [field]: message });
  });
});

it("an error inside a field is shown at the field, with its path", () => {
  const detail = (field: string) => ({ field, pointer: "", code: "type", message: "must be a string" });
  expect(toFormErrors(SCHEMA, [detail("name"), detail("tags[1]"), detail("extra.deep"), detail("unknown")])).toEqual({
    name: "must be a string",
    tags: "tags[1]: must be a string",
    extra: "extra.deep: must be a string",
  });
});
