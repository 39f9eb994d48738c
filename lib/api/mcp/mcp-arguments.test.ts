import { expect, test } from "vitest";
import { decodeArguments } from "#lib/api/mcp/mcp-arguments";

const schema = {
  type: "object" as const,
  properties: { slug: { type: "string" }, input: { type: "object" }, operations: { type: "array" } },
};

test("an object or an array that arrives as JSON text is parsed", () => {
  const args = { input: ' {"a": {"b": 1}} ', operations: "[1, 2]" };
  expect(decodeArguments(schema, args)).toEqual({ input: { a: { b: 1 } }, operations: [1, 2] });
});

test.each(["{not json", "[1]", "null", "7", '"{}"', ""])(
  "the text %j stays text if the field expects an object",
  (text) => {
    expect(decodeArguments(schema, { input: text })).toEqual({ input: text });
  },
);

test("text stays text if the field expects text, and unknown fields do not change", () => {
  const args = { slug: '{"a": 1}', other: "{}" };
  expect(decodeArguments(schema, args)).toEqual(args);
});

test("the given arguments are not mutated", () => {
  const args = { input: "{}" };
  decodeArguments(schema, args);
  expect(args.input).toBe("{}");
});

const batch = {
  type: "object" as const,
  properties: { items: { type: "array", items: { type: "object", properties: { input: { type: "object" } } } } },
};

test("the items of a list are parsed, and the objects in them", () => {
  const read = { items: [{ input: { a: 1 } }, { input: { b: 2 } }, "{", 7] };
  expect(decodeArguments(batch, { items: [{ input: '{"a": 1}' }, '{"input": "{\\"b\\": 2}"}', "{", 7] })).toEqual(read);
  expect(decodeArguments(batch, { items: JSON.stringify(read.items) })).toEqual(read);
});
