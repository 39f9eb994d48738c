import { describe, expect, test } from "vitest";
import { z } from "zod";
import { leaveOutNulls, parseGiven } from "#lib/support/leave-out-nulls";

const step = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("add"), at: z.int().optional() }),
  z.strictObject({ op: z.literal("remove"), note: z.string().nullable().optional() }),
]);
const schema = z.object({
  id: z.uuid(),
  text: z.string().optional(),
  limit: z.coerce.number().min(0).default(20),
  order: z.enum(["asc", "desc"]).default("desc"),
  handle: z.string().nullish(),
  input: z.unknown().optional(),
  pins: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  deploy: z
    .object({ slug: z.string().optional(), options: z.object({ loud: z.boolean().optional() }).optional() })
    .optional(),
  items: z.array(z.object({ key: z.string().optional(), value: z.unknown() })).optional(),
  steps: z.array(step).optional(),
  auth: z.union([z.literal("none"), z.object({ kind: z.literal("bearer"), prefix: z.string().optional() })]).optional(),
  piped: z.preprocess((value) => value, z.object({ a: z.int().optional() })).optional(),
  trimmed: z
    .string()
    .trim()
    .transform((text) => text.length)
    .optional(),
  renamed: z.intersection(z.object({ a: z.int().optional() }), z.object({ b: z.int().optional() })).optional(),
});

const sender = z.discriminatedUnion("scheme", [
  z.object({ scheme: z.enum(["auto", "github"]).optional().default("auto"), header: z.string().nullish() }),
  z.object({ scheme: z.literal("custom"), rule: z.string(), age: z.int().optional() }),
]);

test("a name that is null names the alternative that needs none", () => {
  expect(leaveOutNulls(sender, { scheme: null, header: null })).toEqual({ header: null });
  expect(leaveOutNulls(sender, { scheme: "custom", age: null })).toEqual({ scheme: "custom" });
  // Every alternative needs its name.
  expect(leaveOutNulls(step, { op: null, at: null })).toEqual({ op: null, at: null });
});

describe("a map", () => {
  const maps = z.object({
    headers: z.record(z.string(), z.string()).optional(),
    deep: z.array(z.object({ of: z.record(z.string(), z.union([z.string(), z.number()])) })).optional(),
    either: z.union([z.literal("none"), z.object({ map: z.record(z.string(), z.int()) })]).optional(),
  });
  const messageOf = (value: unknown) =>
    parseGiven(maps, value).error?.issues.map(({ path, message }) => [path.join("."), message]);

  test("that allows no null says what to do with one", () => {
    const said = "must not be null; leave it out";
    expect(messageOf({ headers: { a: "1", "x-b": null } })).toEqual([["headers.x-b", said]]);
    expect(messageOf({ deep: [{ of: { a: 1 } }, { of: { b: null } }] })).toEqual([["deep.1.of.b", said]]);
  });

  test("says what a value of another type must be", () => {
    for (const value of [{ headers: { a: 1 } }, { deep: [{ of: null }] }, { deep: null, headers: [] }]) {
      expect(JSON.stringify(messageOf(value))).not.toContain("leave it out");
    }
  });
});

describe("a key that is null", () => {
  test.each([
    ["an optional text", { text: null }, {}],
    ["a number that would be coerced to 0", { limit: null }, {}],
    ["a value with a default", { order: null }, {}],
    ["an optional object", { deploy: null }, {}],
    ["an optional list", { items: null }, {}],
    ["an optional map", { pins: null, headers: null }, {}],
    ["a transformed text", { trimmed: null }, {}],
    ["a union", { auth: null }, {}],
    ["an object in an object", { deploy: { slug: null, options: { loud: null } } }, { deploy: { options: {} } }],
    [
      "an object in a list",
      { items: [{ key: null, value: null }, { key: "k" }] },
      { items: [{ value: null }, { key: "k" }] },
    ],
    ["the named alternative", { steps: [{ op: "add", at: null }] }, { steps: [{ op: "add" }] }],
    ["the alternative that fits", { auth: { kind: "bearer", prefix: null } }, { auth: { kind: "bearer" } }],
    ["a preprocessed object", { piped: { a: null } }, { piped: {} }],
    ["an intersection", { renamed: { a: null, b: null } }, { renamed: {} }],
  ])("is left out where it is optional: %s", (_, given, read) => {
    expect(leaveOutNulls(schema, given)).toEqual(read);
  });

  test.each([
    ["where the schema allows null", { handle: null, steps: [{ op: "remove", note: null }] }],
    ["in free-form JSON", { input: { a: null, list: [null, { b: null }] } }],
    ["as free-form JSON", { input: null }],
    ["in a map", { pins: { step: null }, headers: { "x-a": null } }],
    ["where it is required", { id: null }],
    ["under an unknown key", { unknown: null }],
    ["as an item of a list", { items: [null] }],
    ["in an alternative that no one named", { steps: [{ op: "other", at: null }] }],
  ])("stays %s", (_, given) => {
    expect(leaveOutNulls(schema, given)).toBe(given);
  });

  test("is never removed from the caller's object", () => {
    const given = { deploy: { slug: null } };
    leaveOutNulls(schema, given);
    expect(given).toEqual({ deploy: { slug: null } });
  });
});

test.each([null, 7, "text", [null]])("a value that is no object stays as it is: %j", (given) => {
  expect(leaveOutNulls(schema, given)).toBe(given);
});
