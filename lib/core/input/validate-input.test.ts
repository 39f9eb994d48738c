import { describe, expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import type { InputSchema, JsonObject } from "#lib/contract/wire/json-schema";
import { applyDefaults } from "#lib/core/input/apply-defaults";
import { compileSchema, validateInput } from "#lib/core/input/validate-input";

const schema: InputSchema = {
  type: "object",
  properties: {
    email: { type: "string" },
    amount: { type: "number" },
    count: { type: "integer", default: 1 },
    urgent: { type: "boolean", default: false },
    size: { type: "string", enum: ["s", "m"], default: "m" },
    address: { type: "object" },
    tags: { type: "array", items: { type: "string" }, default: [] },
    "a/b~c": { type: "string" },
  },
  required: ["email", "amount"],
};
const valid = { email: "a@b.co", amount: 1.5 };
const messages = (input: object) => validateInput(schema, { ...valid, ...input }).map((error) => error.message);

test("a valid input has no errors, and unknown fields are allowed", () => {
  expect(validateInput(schema, valid)).toEqual([]);
  expect(messages({ count: 2.0, urgent: true, size: "s", address: { x: [] }, tags: ["a"], extra: { y: 1 } })).toEqual(
    [],
  );
});

test("all errors are reported at once, each with its field, pointer, code and message", () => {
  expect(validateInput(schema, { amount: "12", tags: ["a", 1], "a/b~c": 1 })).toEqual([
    { field: "email", pointer: "/email", code: "required", message: "email is required" },
    { field: "amount", pointer: "/amount", code: "type", message: "amount must be a number" },
    { field: "tags.1", pointer: "/tags/1", code: "type", message: "tags.1 must be a string" },
    { field: "a/b~c", pointer: "/a~1b~0c", code: "type", message: "a/b~c must be a string" },
  ]);
});

test("values are not converted", () => {
  expect(messages({ amount: "1" })).toEqual(["amount must be a number"]);
  expect(messages({ count: 1.5 })).toEqual(["count must be an integer"]);
  expect(messages({ urgent: "true" })).toEqual(["urgent must be a boolean"]);
  expect(messages({ urgent: 1 })).toEqual(["urgent must be a boolean"]);
  expect(messages({ email: null })).toEqual(["email must be a string"]);
  expect(messages({ address: [] })).toEqual(["address must be an object"]);
  expect(messages({ tags: "a" })).toEqual(["tags must be an array"]);
  expect(messages({ size: "xl" })).toEqual(['size must be one of "s", "m"']);
});

test("a field with the name of an inherited property is missing until it is sent", () => {
  const inherited: InputSchema = {
    type: "object",
    properties: Object.fromEntries(["toString", "constructor"].map((name) => [name, { type: "string" }])),
    required: ["toString", "constructor"],
  };
  expect(validateInput(inherited, {}).map((error) => error.field)).toEqual(["toString", "constructor"]);
  expect(validateInput(inherited, { toString: "a", constructor: "b" })).toEqual([]);
});

test("nesting beyond 32 levels is a single clear error, however deep it is", () => {
  const nested = (levels: number) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = { value };
    return value;
  };
  expect(messages({ extra: nested(31) })).toEqual([]);
  for (const levels of [32, 100_000]) {
    expect(validateInput(schema, { extra: nested(levels) })).toEqual([
      { field: "input", pointer: "", code: "too_deep", message: "input is nested deeper than 32 levels" },
    ]);
  }
});

test("a key __proto__ and text that PostgreSQL cannot store are refused, with their location", () => {
  expect(validateInput(schema, JSON.parse('{"a":[{"__proto__":{"admin":true}}]}'))).toEqual([
    {
      field: "a.0.__proto__",
      pointer: "/a/0/__proto__",
      code: "forbidden_key",
      message: "a.0.__proto__ is not allowed as a field name",
    },
  ]);
  for (const input of [{ x: "a\u0000" }, { x: ["\ud800"] }, { "\u0000": 1 }]) {
    expect(validateInput(schema, { ...valid, ...input }).map((error) => error.code)).toEqual(["invalid_text"]);
  }
  expect(messages({ x: "😀" })).toEqual([]);
});

test("only the first ten errors of a long list are reported", () => {
  expect(messages({ tags: Array.from({ length: 200_000 }, () => 1) })).toHaveLength(10);
});

test("validation does not change the schema", () => {
  const before = structuredClone(schema);
  validateInput(schema, {});
  expect(schema).toEqual(before);
});

test("defaults fill in only fields that were not sent", () => {
  expect(applyDefaults(schema, valid)).toEqual({ ...valid, count: 1, urgent: false, size: "m", tags: [] });
  expect(applyDefaults(schema, { ...valid, count: null, size: "s", urgent: true, tags: ["a"] })).toEqual({
    ...valid,
    count: 1,
    size: "s",
    urgent: true,
    tags: ["a"],
  });
});

test("defaults change neither the caller's object nor the schema", () => {
  const input = { ...valid };
  const filled = applyDefaults(schema, input);
  (filled.tags as string[]).push("x");
  expect(input).toEqual(valid);
  expect(schema.properties.tags?.default).toEqual([]);
  const complete = { ...valid, count: 1, urgent: true, size: "s", tags: [] };
  expect(applyDefaults(schema, complete)).toBe(complete);
});

test("an enum on objects and lists compares JSON, whatever the fields are called and their order", () => {
  const choice: InputSchema = {
    type: "object",
    properties: {
      size: { type: "object", enum: [{ width: 1, height: 2 }, { toString: 1 }] },
      pair: { type: "array", enum: [[1, { a: 1, b: 2 }]] },
    },
    required: [],
  };
  const codes = (input: JsonObject) => validateInput(choice, input).map(({ pointer, code }) => [pointer, code]);
  for (const size of [{ height: 2, width: 1 }, { toString: 1 }]) expect(codes({ size })).toEqual([]);
  for (const size of [{ toString: 2 }, { valueOf: 1 }, { constructor: null }, { width: 1 }, {}]) {
    expect(codes({ size })).toEqual([["/size", "enum"]]);
  }
  expect(codes({ pair: [1, { b: 2, a: 1 }] })).toEqual([]);
  expect(codes({ pair: [{ a: 1, b: 2 }, 1] })).toEqual([["/pair", "enum"]]);
});

describe("null in an input", () => {
  const nested: InputSchema = {
    type: "object",
    properties: {
      id: { type: "string" },
      note: { type: "string" },
      count: { type: "integer", default: 3 },
      size: { type: "string", enum: ["s", "m"] },
      any: { type: "object" },
      customer: {
        type: "object",
        properties: { name: { type: "string" }, phone: { type: "string" } },
        required: ["name"],
      },
      lines: {
        type: "array",
        items: { type: "object", properties: { sku: { type: "string" }, gift: { type: "boolean" } } },
      },
    },
    required: ["id"],
  };
  const read = (input: JsonObject) => [
    validateInput(nested, input).map(({ field }) => field),
    applyDefaults(nested, input),
  ];

  test.each([
    ["a field", { id: "a", note: null, size: null }, { id: "a", count: 3 }],
    ["a field with a default", { id: "a", count: null }, { id: "a", count: 3 }],
    ["an object and a list", { id: "a", customer: null, lines: null }, { id: "a", count: 3 }],
    [
      "a field of an object",
      { id: "a", count: 1, customer: { name: "n", phone: null } },
      { id: "a", count: 1, customer: { name: "n" } },
    ],
    [
      "a field of an object in a list",
      { id: "a", count: 1, lines: [{ sku: "s", gift: null }, { sku: null }] },
      { id: "a", count: 1, lines: [{ sku: "s" }, {}] },
    ],
  ])("leaves out %s that is optional", (_, input, filled) => {
    expect(read(input)).toEqual([[], filled]);
  });

  test("stays in objects without declared fields and in fields that the schema does not know", () => {
    const input = { id: "a", count: 1, any: { a: null, b: [null] }, extra: null };
    expect(read(input)).toEqual([[], input]);
  });

  test.each([
    [{ id: null }, "id"],
    [{ id: "a", customer: { name: null } }, "customer.name"],
    [{ id: "a", lines: [null] }, "lines.0"],
  ])("is refused where a value is required, naming the field: %j", (input, field) => {
    const [error] = validateInput(nested, input);
    expect(error).toMatchObject({ field, code: "type" });
    expect(error?.message).toMatch(/ must be an? \w+$/);
  });
});

const PIECE = 100_000;
const schemaNamed = (name: string): InputSchema => ({
  type: "object",
  properties: { [name]: { type: "string", description: "x".repeat(PIECE) } },
  required: [],
});

test("validators are kept up to a number of bytes of their schemas, and equal schemas share one", () => {
  const first = compileSchema(schemaNamed("first"));
  expect(compileSchema(schemaNamed("first"))).toBe(first);
  for (let index = 0; index * PIECE < LIMITS.schemaCacheBytes; index += 1) compileSchema(schemaNamed(`p${index}`));
  expect(compileSchema(schemaNamed("first"))).not.toBe(first);
});
