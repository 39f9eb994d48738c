import { expect, test } from "vitest";
import { readPath } from "#lib/core/shapes/read-path";
import {
  ANY_OBJECT,
  closedObject,
  listShape,
  NULL,
  type Shape,
  type ShapeField,
  scalar,
  UNKNOWN,
  unionShape,
} from "#lib/core/shapes/shape";
import { shapeOfSchema } from "#lib/core/shapes/shape-of-schema";

const TEXT = scalar("string");
const ORDER = closedObject(
  ["id", TEXT],
  ["lines", listShape(closedObject(["sku", TEXT]))],
  ["note", unionShape([TEXT, NULL])],
);

test.each([
  ["a field", ORDER, ["id"], { kind: "found", shape: TEXT, canBeAbsent: false }],
  ["a field of an item", ORDER, ["lines", 3, "sku"], { kind: "found", shape: TEXT, canBeAbsent: false }],
  ["an index that is written as a text", ORDER, ["lines", "0", "sku"], { kind: "found" }],
  ["a value that can be null", ORDER, ["note"], { kind: "found", canBeAbsent: true }],
  ["a field below a text", ORDER, ["id", "length"], { kind: "missing", at: 1, of: TEXT }],
  ["a field of a list", ORDER, ["lines", "length"], { kind: "missing", at: 1 }],
  ["an unknown field of a closed object", ORDER, ["total"], { kind: "missing", at: 0, of: ORDER }],
  ["a field of a value that can be null", unionShape([ORDER, NULL]), ["id"], { kind: "found", canBeAbsent: true }],
  ["a field that no alternative has", unionShape([ORDER, NULL]), ["total"], { kind: "missing", at: 0 }],
  ["a field of an unknown value", UNKNOWN, ["a", "b"], { kind: "found", shape: UNKNOWN }],
  ["a field of any object", ANY_OBJECT, ["a"], { kind: "found", shape: UNKNOWN, canBeAbsent: true }],
  ["toString of an object", ORDER, ["toString"], { kind: "missing", at: 0 }],
  ["the whole value", ORDER, [], { kind: "found", shape: ORDER, canBeAbsent: false }],
] satisfies [string, Shape, (string | number)[], object][])("%s", (_, shape, path, result) => {
  expect(readPath(shape, path)).toMatchObject(result);
});

test("a JSON Schema closes an object only with additionalProperties false, and what it does not say is unknown", () => {
  const properties = { a: { type: "string" }, b: { $ref: "#/x" }, c: { type: ["integer", "null"] } };
  const open = shapeOfSchema({ type: "object", properties, required: ["a"] });
  const closed = shapeOfSchema({ type: "object", properties, required: ["a"], additionalProperties: false });
  expect(readPath(open, ["d"]).kind).toBe("undeclared");
  expect(readPath(closed, ["d"]).kind).toBe("missing");
  expect(readPath(closed, ["a"])).toEqual({ kind: "found", shape: TEXT, canBeAbsent: false });
  expect(readPath(closed, ["b", "x"])).toMatchObject({ kind: "found", shape: UNKNOWN });
  expect(readPath(closed, ["c"])).toMatchObject({ kind: "found", canBeAbsent: true });
  for (const schema of [null, 5, [], {}, { allOf: [] }, { type: "object", not: {} }, { anyOf: 5 }, { type: "no" }]) {
    expect(readPath(shapeOfSchema(schema), ["x"]).kind, JSON.stringify(schema)).toBe("found");
  }
});

/** Counts how many fields a path looks up. */
class CountedFields extends Map<string, ShapeField> {
  static lookups = 0;
  override get(name: string) {
    CountedFields.lookups += 1;
    return super.get(name);
  }
}

test("a path through alternatives of alternatives looks up each of them once", () => {
  let shape: Shape = TEXT;
  for (let level = 0; level < 30; level += 1) {
    const inner = shape;
    const members = Array.from({ length: 20 }, (): Shape => {
      const field: ShapeField = { shape: inner, isOptional: false, description: "" };
      return { kind: "object", fields: new CountedFields([["f", field]]), rest: null };
    });
    shape = unionShape(members);
  }
  expect(readPath(shape, Array(30).fill("f"))).toMatchObject({ kind: "found", shape: TEXT });
  expect(CountedFields.lookups).toBe(30 * 20);
});
