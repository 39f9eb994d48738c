import { expect, test } from "vitest";
import type { BuildFinding } from "#lib/connectors/custom/custom-definition";
import { cutSchema, resolveSchema } from "#lib/connectors/custom/resolve-schema";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";

function resolve(schema: unknown, schemas: JsonObject = {}) {
  const findings: BuildFinding[] = [];
  const resolved = resolveSchema({ components: { schemas } }, schema, "/paths/~1a/get", findings);
  return { resolved, codes: findings.map(({ code }) => code) };
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const many = (count: number, of: unknown) => {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, of]));
};

test("a schema that is too large keeps its upper levels and loses the lower ones", () => {
  const wide = { type: "object", properties: many(40, { type: "object", properties: many(200, { type: "string" }) }) };
  const { resolved, codes } = resolve({ type: "object", properties: { first: wide, last: { type: "integer" } } });
  expect(getPath(resolved, ["properties", "last"])).toEqual({ type: "integer" });
  expect(Object.keys(getPath(resolved, ["properties", "first", "properties"]) as object)).toHaveLength(40);
  expect(codes).toEqual(["schema_cut"]);
});

test("a required field is never cut, on any level that values must have", () => {
  const inner = {
    type: "object",
    required: ["id"],
    properties: { ...many(3_000, { type: "string" }), id: { type: "integer" } },
  };
  const schema = {
    type: "object",
    required: ["order"],
    properties: {
      ...many(3_000, { type: "string" }),
      order: { allOf: [{ type: "object", required: ["line"], properties: { ...many(3_000, {}), line: inner } }] },
    },
    additionalProperties: false,
  };
  const cut = cutSchema(resolve(schema).resolved, 1_000);
  const line = ["properties", "order", "allOf", 0, "properties", "line", "properties", "id"];
  expect(getPath(cut, line)).toEqual({ type: "integer" });
  expect(JSON.stringify(cut).length).toBeLessThan(8_000);
});

test("a schema that lost properties no longer refuses others", () => {
  const schema = { type: "object", properties: many(5_000, { type: "string" }), additionalProperties: false };
  expect(resolve(schema).resolved.additionalProperties).toBe(true);
  expect(resolve({ ...schema, properties: many(2, {}) }).resolved.additionalProperties).toBe(false);
});

test("required fields that unfold without end are cut, too", () => {
  const schemas: JsonObject = {};
  for (let level = 0; level < 13; level += 1) {
    const properties = many(9, ref(`s${level + 1}`));
    schemas[`s${level}`] = { type: "object", required: Object.keys(properties), properties };
  }
  schemas.s13 = { type: "string" };
  const { resolved, codes } = resolve(ref("s0"), schemas);
  expect(codes).toEqual(["schema_cut"]);
  expect(JSON.stringify(resolved).length).toBeLessThan(1_500_000);
});

test("a schema that contains itself is cut where it repeats, and keeps its type", () => {
  const schemas = { node: { type: "object", properties: { next: ref("node"), name: { type: "string" } } } };
  const { resolved, codes } = resolve(ref("node"), schemas);
  expect(resolved.properties).toEqual({
    next: { type: "object", description: "See the document for details." },
    name: { type: "string" },
  });
  expect(codes).toEqual(["schema_cut"]);
});

test("a part that does not exist accepts any value, and the rest of the schema stays", () => {
  const { resolved, codes } = resolve({ properties: { a: ref("missing"), b: { type: "string" } } });
  expect(resolved.properties).toEqual({
    a: { description: "See the document for details." },
    b: { type: "string" },
  });
  expect(codes).toEqual(["unknown_reference"]);
});

test("the description next to a reference replaces the one of its target", () => {
  const schemas = { id: { type: "string", description: "An ID." } };
  const { resolved } = resolve({ ...ref("id"), description: "The ID of the buyer." }, schemas);
  expect(resolved).toEqual({ type: "string", description: "The ID of the buyer." });
});
