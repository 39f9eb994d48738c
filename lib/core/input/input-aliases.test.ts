import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import { applyDefaults } from "#lib/core/input/apply-defaults";
import { aliasesOf, currentSchema } from "#lib/core/input/input-aliases";
import { validateInput } from "#lib/core/input/validate-input";
import { deriveInputSchema } from "#lib/core/steps/derive-schemas";

function schemaOf(...properties: object[]): InputSchema {
  const node = { id: "in", type: "action_input" as const, position: { x: 0, y: 0 }, data: { properties } };
  return deriveInputSchema({ nodes: [node], edges: [] });
}

const schema = schemaOf(
  { name: "order_id", type: "string", required: true, aliases: ["orderId", "order"], description: "The order" },
  { name: "urgent", type: "boolean", default: false, aliases: ["isUrgent", "rush"] },
  { name: "note", type: "string", required: true },
);

test("the published schema accepts a renamed field under each of its names, and nothing but standard keywords", () => {
  // Strict mode refuses keywords that JSON Schema does not define.
  const isValid = new Ajv2020({ strict: true, strictRequired: false }).compile(schema);
  const note = "n";
  for (const name of ["order_id", "orderId", "order"]) expect(isValid({ [name]: "A-1", note })).toBe(true);
  for (const name of ["urgent", "isUrgent", "rush"]) expect(isValid({ order: "A", note, [name]: true })).toBe(true);
  expect(isValid({ note })).toBe(false);
  expect(isValid({ order_id: "A", orderId: "A", note })).toBe(false);
  expect(isValid({ order_id: "A", note, isUrgent: true, rush: true })).toBe(false);
  expect(isValid({ orderId: 1, note })).toBe(false);
});

test("an old name is marked as deprecated and names its successor; only the current name has the default", () => {
  expect(schema.properties.orderId).toEqual({
    type: "string",
    description: "Old name of order_id: send order_id.",
    deprecated: true,
  });
  expect(schema.properties.rush).not.toHaveProperty("default");
  expect(Object.fromEntries(aliasesOf(schema))).toEqual({
    orderId: "order_id",
    order: "order_id",
    isUrgent: "urgent",
    rush: "urgent",
  });
  expect(Object.keys(currentSchema(schema).properties)).toEqual(["order_id", "urgent", "note"]);
  expect(currentSchema(schema).required).toEqual(["order_id", "note"]);
});

test("steps read a field under its current name, however it was sent", () => {
  const sent = { orderId: "A-1", note: "n", rush: true };
  expect(validateInput(schema, sent)).toEqual([]);
  expect(applyDefaults(schema, sent)).toEqual({ order_id: "A-1", note: "n", urgent: true });
  expect(sent).toEqual({ orderId: "A-1", note: "n", rush: true });
  expect(applyDefaults(schema, { order: "A-1", note: "n" })).toEqual({ order_id: "A-1", note: "n", urgent: false });
});

test("two names of one field are an error that names the extra one", () => {
  const note = "n";
  expect(validateInput(schema, { order_id: "A", orderId: "A", note })).toEqual([
    {
      field: "orderId",
      pointer: "/orderId",
      code: "alias_conflict",
      message: "orderId is another name of order_id, so send only one of them",
    },
  ]);
  expect(validateInput(schema, { orderId: "A", order: "A", note }).map(({ message }) => message)).toEqual([
    "order is another name of orderId, so send only one of them",
  ]);
});

test("an error of a field that was sent under its old name points to that name; a missing field has its current name", () => {
  expect(validateInput(schema, { orderId: 1, note: "n" })).toEqual([
    { field: "orderId", pointer: "/orderId", code: "type", message: "orderId must be a string" },
  ]);
  expect(validateInput(schema, { note: "n" }).map(({ message }) => message)).toEqual(["order_id is required"]);
});

test("a schema without old names is the one that was always derived", () => {
  expect(schemaOf({ name: "a", type: "string", required: true })).toEqual({
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
  });
});

test("an old name that is already the name of a field is refused where it is written", () => {
  const properties = [
    { name: "a", type: "string", required: true, aliases: ["b", "a"] },
    { name: "b", type: "string", required: false },
  ];
  // An incomplete input step has no properties yet.
  expect(schemaOf(...properties).properties).toEqual({});
});
