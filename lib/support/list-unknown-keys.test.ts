import { expect, test } from "vitest";
import { z } from "zod";
import { listUnknownFields, listUnknownKeys } from "#lib/support/list-unknown-keys";

const keys = (schema: z.ZodType, value: unknown) => listUnknownKeys(schema, value).map(({ path }) => path.join("."));
const point = z.object({ x: z.number(), y: z.number() });

test.each([
  ["an object", point, { x: 1, z: 2 }, ["z"]],
  ["a strict object", z.strictObject({ x: z.number() }), { y: 1 }, ["y"]],
  ["an object inside others", z.object({ at: z.array(point.optional()) }), { at: [{ x: 1 }, { X: 1 }] }, ["at.1.X"]],
  ["a value with a default", z.object({ at: point.nullable().default(null) }), { at: { X: 1 } }, ["at.X"]],
  ["a value that is read first", z.preprocess((value) => value, point), { X: 1 }, ["X"]],
  ["a value that is converted after", point.transform(({ x }) => x), { X: 1 }, ["X"]],
  ["two objects together", z.intersection(point, z.object({ z: z.number() })), { z: 1, w: 1 }, ["w"]],
] satisfies [string, z.ZodType, unknown, string[]][])("an unknown key of %s is listed", (_, schema, value, found) => {
  expect(keys(schema, value)).toEqual(found);
});

test("of a discriminated union, the alternative that is meant decides", () => {
  const either = z.discriminatedUnion("op", [
    z.strictObject({ op: z.literal("move"), x: z.number() }),
    z.object({ op: z.literal("turn"), by: z.number() }),
  ]);
  expect(keys(either, { op: "move", by: 1 })).toEqual(["by"]);
  expect(keys(either, { op: "turn", by: 1 })).toEqual([]);
  expect(keys(either, { op: "fly", any: 1 })).toEqual([]);
});

test("where any key is allowed, or the schema is not certain, nothing is listed", () => {
  for (const schema of [
    z.looseObject({}),
    z.record(z.string(), z.unknown()),
    z.unknown(),
    z.union([point, z.null()]),
  ]) {
    expect(keys(schema, { any: { thing: 1 } })).toEqual([]);
  }
});

test("an object that accepts any key is held to the names of its schema, but not the objects inside it", () => {
  const schema = z.looseObject({ input: z.looseObject({}) });
  expect(listUnknownFields(schema, { input: { any: 1 }, other: 1 })).toEqual([{ path: ["other"], known: ["input"] }]);
  expect(listUnknownKeys(schema, { input: { any: 1 }, other: 1 })).toEqual([]);
});
