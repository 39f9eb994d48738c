import { expect, test } from "vitest";
import type { InputSchema, PropertySchema } from "#lib/contract/wire/json-schema";
import { schemaChanges } from "#lib/core/graph/compare/schema-changes";
import { aliasRules } from "#lib/core/input/input-aliases";

function schema(properties: Record<string, PropertySchema>, ...required: string[]): InputSchema {
  return { type: "object", properties, required };
}

function changes(before: InputSchema, after: InputSchema): string[] {
  return schemaChanges(before, after).map(({ field, kind, breaking }) => `${field} ${kind}${breaking ? "!" : ""}`);
}

const text: PropertySchema = { type: "string" };

test("the same schema has no changes, whatever the order of its keys", () => {
  const a = schema({ x: { type: "string", enum: ["a", "b"], default: "a" }, y: { type: "integer" } }, "x", "y");
  const b = schema({ y: { type: "integer" }, x: { default: "a", enum: ["b", "a"], type: "string" } }, "y", "x");
  expect(schemaChanges(a, b)).toEqual([]);
});

test("a new optional field is safe, a new required field is breaking", () => {
  expect(changes(schema({}), schema({ x: text }))).toEqual(["x added_optional"]);
  expect(changes(schema({}), schema({ x: text }, "x"))).toEqual(["x added_required!"]);
});

test("making a field required is breaking, making it optional is safe", () => {
  expect(changes(schema({ x: text }), schema({ x: text }, "x"))).toEqual(["x became_required!"]);
  expect(changes(schema({ x: text }, "x"), schema({ x: text }))).toEqual(["x became_optional"]);
});

test("changing the type of a field or of its items is breaking", () => {
  expect(changes(schema({ x: text }), schema({ x: { type: "number" } }))).toEqual(["x type_changed!"]);
  expect(changes(schema({ x: { type: "integer" } }), schema({ x: { type: "number" } }))).toEqual(["x type_changed!"]);
  const list = (type?: "string" | "number"): PropertySchema => ({
    type: "array",
    ...(type ? { items: { type } } : {}),
  });
  expect(changes(schema({ x: list("string") }), schema({ x: list("number") }))).toEqual(["x type_changed!"]);
  expect(changes(schema({ x: list() }), schema({ x: list("number") }))).toEqual(["x constraint_tightened!"]);
  expect(changes(schema({ x: list("number") }), schema({ x: list() }))).toEqual(["x constraint_loosened"]);
});

test("removing a field is breaking", () => {
  expect(changes(schema({ x: text, y: text }), schema({ y: text }))).toEqual(["x removed!"]);
});

test("one removed field and one added field of the same type count as a renaming, which is breaking", () => {
  const [change, ...others] = schemaChanges(schema({ x: text, y: text }), schema({ y: text, z: text }));
  expect(others).toEqual([]);
  expect(change).toEqual({
    field: "x",
    kind: "renamed",
    breaking: true,
    message: '"x" is now called "z". Callers that send "x" must send "z" instead.',
    new_field: "z",
  });
  expect(changes(schema({ x: text, n: { type: "number" } }), schema({ m: { type: "number" }, z: text }, "z"))).toEqual([
    "x renamed!",
    "n renamed!",
  ]);
});

test("if the type is ambiguous, no field counts as renamed", () => {
  expect(changes(schema({ x: text }), schema({ y: text, z: text }))).toEqual([
    "x removed!",
    "y added_optional",
    "z added_optional",
  ]);
  expect(changes(schema({ x: text }), schema({ y: { type: "number" } }))).toEqual(["x removed!", "y added_optional"]);
});

test("narrowing an enum is breaking, widening it is safe", () => {
  const of = (...values: string[]) => schema({ x: { type: "string", enum: values } });
  expect(changes(of("a", "b"), of("a"))).toEqual(["x constraint_tightened!"]);
  expect(changes(of("a"), of("a", "b"))).toEqual(["x constraint_loosened"]);
  expect(changes(of("a"), of("b"))).toEqual(["x constraint_tightened!"]);
  expect(changes(schema({ x: text }), of("a"))).toEqual(["x constraint_tightened!"]);
  expect(changes(of("a"), schema({ x: text }))).toEqual(["x constraint_loosened"]);
  expect(schemaChanges(of("a", "b"), of("a"))[0]?.message).toBe('"x" no longer accepts "b".');
});

test("changing descriptions and defaults is safe", () => {
  const after = schema({ x: { type: "string", description: "d", default: "a" } });
  expect(changes(schema({ x: text }), after)).toEqual(["x default_changed", "x description_changed"]);
  expect(changes(after, schema({ x: text }))).toEqual(["x default_changed", "x description_changed"]);
});

test("all changes of one field are listed", () => {
  expect(changes(schema({ x: text }), schema({ x: { type: "number", default: 1 } }, "x"))).toEqual([
    "x type_changed!",
    "x became_required!",
    "x default_changed",
  ]);
});

test("fields named like inherited properties are compared as fields", () => {
  expect(changes(schema({}), schema({ constructor: text, toString: text }))).toEqual([
    "constructor added_optional",
    "toString added_optional",
  ]);
  expect(changes(schema({ constructor: text }), schema({}))).toEqual(["constructor removed!"]);
});

/** A schema whose field `name` has old names. */
function withAliases(name: string, isRequired: boolean, ...aliases: string[]): InputSchema {
  const deprecated = { ...text, deprecated: true } as const;
  return {
    ...schema({ [name]: text, ...Object.fromEntries(aliases.map((alias) => [alias, deprecated])) }),
    allOf: aliasRules({ name, isRequired, aliases }),
  };
}

test("a renamed field that keeps its old name is one safe change", () => {
  for (const isRequired of [true, false]) {
    const before = schema({ x: text }, ...(isRequired ? ["x"] : []));
    expect(schemaChanges(before, withAliases("z", isRequired, "x"))).toEqual([
      {
        field: "x",
        kind: "renamed",
        breaking: false,
        message: '"x" is now called "z". Calls that send "x" still work: it is kept as an alias.',
        new_field: "z",
      },
    ]);
  }
});

test("a kept old name does not hide other breaking changes of the field", () => {
  expect(changes(schema({ x: text }), withAliases("z", true, "x"))).toEqual(["x renamed", "z became_required!"]);
  expect(changes(schema({ x: { type: "number" } }), withAliases("z", false, "x"))).toEqual([
    "x renamed",
    "z type_changed!",
  ]);
});

test("giving up an old name is breaking, adding another one is safe, and merging two fields is breaking", () => {
  expect(changes(withAliases("z", true, "x"), schema({ z: text }, "z"))).toEqual(["x removed!"]);
  expect(changes(withAliases("z", true, "x"), withAliases("z", true, "x", "y"))).toEqual(["y added_optional"]);
  expect(changes(withAliases("z", true, "x"), withAliases("z", true, "x"))).toEqual([]);
  expect(changes(schema({ x: text, z: text }), withAliases("z", false, "x"))).toEqual(["x removed!"]);
  // The second renaming in a row keeps both old names.
  expect(changes(withAliases("z", true, "x"), withAliases("w", true, "x", "z"))).toEqual(["z renamed"]);
});
