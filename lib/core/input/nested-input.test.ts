import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { checkPatterns } from "#lib/core/graph/checks/check-patterns";
import { schemaChanges } from "#lib/core/graph/compare/schema-changes";
import { exampleObject } from "#lib/core/input/example-value";
import { validateInput } from "#lib/core/input/validate-input";
import { readPath } from "#lib/core/shapes/read-path";
import { actionInputData } from "#lib/core/steps/action-input/action-input-data";
import { deriveInputSchema } from "#lib/core/steps/derive-schemas";
import { propertyShape } from "#lib/core/steps/property-shape";

const definitionOf = (properties: unknown) => {
  const node = { id: "in", type: "action_input" as const, position: { x: 0, y: 0 }, data: { properties } };
  return { nodes: [node], edges: [] };
};
const schemaOf = (...properties: object[]) => deriveInputSchema(definitionOf(properties));
const faultsOf = (...properties: object[]) =>
  actionInputData
    .safeParse({ properties })
    .error?.issues.map(({ path, message }) => `${path.slice(1).join(".")} ${message}`) ?? [];

const SKU = { name: "sku", type: "string", required: true, pattern: "^[A-Z]{2}-[0-9]+$" };
const LINES = {
  name: "lines",
  type: "array",
  required: true,
  minItems: 1,
  items: {
    type: "object",
    properties: [SKU, { name: "quantity", type: "integer", minimum: 1, maximum: 99 }],
  },
};
const CUSTOMER = {
  name: "customer",
  type: "object",
  properties: [{ name: "name", type: "string", required: true, minLength: 2, maxLength: 20 }],
};
const schema = schemaOf(CUSTOMER, LINES);
const valid = { customer: { name: "Ada" }, lines: [{ sku: "AB-1", quantity: 2 }] };
const messages = (input: object) => validateInput(schema, { ...valid, ...input }).map(({ message }) => message);

test("the derived schema is plain JSON Schema, nested like the input", () => {
  expect(schema).toEqual({
    type: "object",
    properties: {
      customer: {
        type: "object",
        properties: { name: { type: "string", minLength: 2, maxLength: 20 } },
        required: ["name"],
      },
      lines: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            sku: { type: "string", pattern: "^[A-Z]{2}-[0-9]+$" },
            quantity: { type: "integer", minimum: 1, maximum: 99 },
          },
          required: ["sku"],
        },
      },
    },
    required: ["lines"],
  });
  expect(() => new Ajv2020({ strict: true }).compile(schema)).not.toThrow();
});

describe("a call", () => {
  test("is checked at every level, and every fault names its field", () => {
    expect(validateInput(schema, valid)).toEqual([]);
    expect(messages({ customer: {} })).toEqual(["customer.name is required"]);
    expect(messages({ customer: { name: "A" } })).toEqual(["customer.name must have at least 2 characters"]);
    expect(messages({ customer: { name: "A".repeat(21) } })).toEqual(["customer.name must have at most 20 characters"]);
    expect(messages({ lines: [] })).toEqual(["lines must have at least 1 item"]);
    expect(messages({ lines: [valid.lines[0], { sku: "x", quantity: 0 }, { quantity: 100 }, 5] })).toEqual([
      "lines.1.sku must match the pattern ^[A-Z]{2}-[0-9]+$",
      "lines.1.quantity must be at least 1",
      "lines.2.sku is required",
      "lines.2.quantity must be at most 99",
      "lines.3 must be an object",
    ]);
  });

  test("may send fields that are not declared, at every level", () => {
    expect(messages({ customer: { name: "Ada", age: 36 }, lines: [{ sku: "AB-1", note: null }] })).toEqual([]);
  });

  test("with a million wrong items gets ten errors", () => {
    const lines = Array.from({ length: 1_000_000 }, () => ({ sku: 1 }));
    expect(validateInput(schema, { ...valid, lines })).toHaveLength(10);
  });

  test("with texts that are too long for their patterns is refused, however many they are", () => {
    const slow = schemaOf({ name: "texts", type: "array", items: { type: "string", pattern: "(a|b|c){200}$" } });
    const texts = Array.from({ length: 50 }, () => "a".repeat(100_000));
    const [first] = validateInput(slow, { texts });
    expect(first?.message).toBe("texts.0 is too long for its pattern");
  });
});

describe("a definition", () => {
  test("with a keyword that checks nothing, or that no value could satisfy, is refused with its place", () => {
    expect(faultsOf({ name: "a", type: "number", minLength: 1 })).toEqual([
      "0.minLength is only allowed for the type string",
    ]);
    expect(faultsOf({ name: "a", type: "string", properties: [] })).toEqual([
      "0.properties is only allowed for the type object",
    ]);
    expect(faultsOf({ name: "a", type: "array", items: { type: "string", minimum: 1 } })).toEqual([
      "0.items.minimum is only allowed for the type number or integer",
    ]);
    expect(faultsOf({ name: "a", type: "integer", minimum: 5, maximum: 4 })).toEqual([
      "0.maximum must not be less than minimum",
    ]);
    expect(faultsOf({ ...CUSTOMER, properties: [SKU, SKU] })).toEqual([
      '0.properties.1.name must be unique; "sku" is used twice',
    ]);
  });

  test("with a default or an allowed value that its own schema refuses is refused", () => {
    expect(faultsOf({ ...CUSTOMER, default: {} })).toEqual(["0.default name is required"]);
    expect(faultsOf({ ...LINES, default: [{ sku: "AB-1", quantity: 100 }] })).toEqual([
      "0.default 0.quantity must not exceed 99",
    ]);
    expect(faultsOf({ name: "a", type: "string", minLength: 2, enum: ["ab", "c"] })).toEqual([
      "0.enum.1 must not be less than 2",
    ]);
    expect(faultsOf({ ...CUSTOMER, default: { name: "Ada" } })).toEqual([]);
  });

  test("is bounded in its levels and in its fields", () => {
    const nested = (levels: number): object =>
      levels === 1 ? { name: "a", type: "string" } : { name: "a", type: "object", properties: [nested(levels - 1)] };
    expect(faultsOf(nested(LIMITS.inputDepth))).toEqual([]);
    expect(faultsOf(nested(LIMITS.inputDepth + 1))).toEqual([
      expect.stringContaining(`must not be nested deeper than ${LIMITS.inputDepth} levels`),
    ]);
    const fields = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `f${index}`, type: "string" }));
    const wide = (count: number) => ({ name: "wide", type: "object", properties: fields(count) });
    expect(faultsOf(wide(LIMITS.inputFields - 1))).toEqual([]);
    expect(faultsOf(wide(LIMITS.inputFields))).toEqual([
      expect.stringContaining(`must contain at most ${LIMITS.inputFields} fields at all levels`),
    ]);
  });

  test("with a pattern that cannot be read has a problem at its field", () => {
    const wrong = { ...LINES, items: { type: "object", properties: [{ ...SKU, pattern: "(" }] } };
    expect(checkPatterns(definitionOf([wrong]))).toMatchObject([
      { code: "INVALID_PATTERN", field: "properties.0.items.properties.0.pattern" },
    ]);
    expect(checkPatterns(definitionOf([LINES]))).toEqual([]);
  });
});

test("later steps know the fields of objects and of the items of lists", () => {
  const shape = propertyShape([CUSTOMER, LINES]);
  expect(readPath(shape, ["customer", "name"])).toMatchObject({ shape: { kind: "scalar", type: "string" } });
  expect(readPath(shape, ["lines", "0", "quantity"])).toMatchObject({ shape: { kind: "scalar", type: "integer" } });
});

test("an example fits its schema at every level", () => {
  const withoutPattern = schemaOf(CUSTOMER, {
    ...LINES,
    items: { type: "object", properties: [{ ...SKU, pattern: undefined }] },
  });
  const { properties } = withoutPattern;
  expect(validateInput(withoutPattern, exampleObject(properties, Object.keys(properties)))).toEqual([]);
});

describe("publishing a change inside a field", () => {
  const changes = (before: object, after: object) =>
    schemaChanges(schemaOf(before), schemaOf(after)).map(
      ({ field, kind, breaking }) => `${field} ${kind}${breaking ? "!" : ""}`,
    );
  const withFields = (...properties: object[]) => ({ name: "o", type: "object", properties });
  const withItems = (items: object) => ({ name: "l", type: "array", items });
  const text = { name: "t", type: "string" };

  test.each([
    ["a new optional field", withFields(), withFields(text), ["o.t added_optional"]],
    ["a new required field", withFields(), withFields({ ...text, required: true }), ["o.t added_required!"]],
    ["a removed field", withFields(text), withFields(), ["o.t removed!"]],
    ["another type", withFields(text), withFields({ ...text, type: "number" }), ["o.t type_changed!"]],
    ["a required field", withFields(text), withFields({ ...text, required: true }), ["o.t became_required!"]],
    ["a tighter bound", withFields(text), withFields({ ...text, maxLength: 5 }), ["o.t constraint_tightened!"]],
    [
      "a looser bound",
      withFields({ ...text, minLength: 3 }),
      withFields({ ...text, minLength: 2 }),
      ["o.t constraint_loosened"],
    ],
    [
      "another pattern",
      withFields({ ...text, pattern: "a" }),
      withFields({ ...text, pattern: "b" }),
      ["o.t constraint_tightened!"],
    ],
    ["no pattern", withFields({ ...text, pattern: "a" }), withFields(text), ["o.t constraint_loosened"]],
    ["declared fields", { name: "o", type: "object" }, withFields(text), ["o constraint_tightened!"]],
    ["undeclared fields", withFields(text), { name: "o", type: "object" }, ["o constraint_loosened"]],
    [
      "a field in the items of a list",
      withItems({ type: "object", properties: [text] }),
      withItems({ type: "object", properties: [text, { name: "n", type: "integer", required: true }] }),
      ["l[].n added_required!"],
    ],
    [
      "an item's bound",
      withItems({ type: "string" }),
      withItems({ type: "string", minLength: 1 }),
      ["l[] constraint_tightened!"],
    ],
  ])("is reported with its place: %s", (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});
