import { describe, expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { toRequest } from "#lib/connectors/custom/call-custom";

const BASE = "https://api.example.com";

function build(more: object, openapi = "3.1.0") {
  const document = { openapi, ...more };
  return buildDefinition({ name: "A", baseUrl: BASE, auth: "none", document });
}

/** Sends a body to an operation that takes this schema. */
function send(schema: object, body: unknown, { openapi = "3.1.0", schemas = {} } = {}) {
  const post = { requestBody: { required: true, content: { "application/json": { schema } } } };
  const { definition } = build({ paths: { "/a": { post } }, components: { schemas } }, openapi);
  const [operation] = definition.operations;
  if (!operation) throw new Error("there is one");
  return toRequest(BASE, operation, { body }, "s").body;
}

describe("patternProperties", () => {
  const schema = {
    type: "object",
    properties: { id: { type: "string" } },
    patternProperties: { "^x-": { type: "integer" }, "^\\d{4}$": {} },
    additionalProperties: false,
  };

  test("next to additionalProperties: false accept the names that they describe, and check their values", () => {
    expect(send(schema, { id: "a", "x-a": 1, "2024": "y" })).toBe('{"2024":"y","id":"a","x-a":1}');
    expect(() => send(schema, { "x-a": "text" })).toThrow("body.x-a: must be an integer");
    expect(() => send(schema, { y: 1 })).toThrow("body.y: is not a known field");
  });

  test("come before a schema of additionalProperties, and a pattern that can't be read accepts any name", () => {
    expect(send({ ...schema, additionalProperties: { type: "boolean" } }, { "x-a": 1, other: true })).toBeDefined();
    expect(send({ ...schema, patternProperties: { "(?<=a)b\\1": {} } }, { other: 1 })).toBeDefined();
  });

  test("follow references, and a hostile pattern costs little", () => {
    const schemas = { Value: { type: "object", required: ["n"] } };
    const named = { ...schema, patternProperties: { ".": { $ref: "#/components/schemas/Value" } } };
    expect(() => send(named, { a: {} }, { schemas })).toThrow("body.a.n: is required");
    const hostile = { ...schema, patternProperties: { "^(a+)+$": {} } };
    expect(() => send(hostile, { [`${"a".repeat(5_000)}!`]: 1 })).toThrow("is not a known field");
  });
});

describe("a reference in 3.1", () => {
  const schemas = { Base: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } };
  const schema = {
    $ref: "#/components/schemas/Base",
    required: ["name"],
    properties: { name: { type: "string" } },
  };

  test("counts together with what is next to it", () => {
    expect(send(schema, { id: "a", name: "b" }, { schemas })).toBe('{"id":"a","name":"b"}');
    expect(() => send(schema, { name: "b" }, { schemas })).toThrow("body.id: is required");
    expect(() => send(schema, { id: "b" }, { schemas })).toThrow("body.name: is required");
  });

  test("counts alone in 3.0", () => {
    expect(send(schema, { id: "b" }, { schemas, openapi: "3.0.3" })).toBe('{"id":"b"}');
  });

  test("can name an anchor, a definition in a schema, or be dynamic", () => {
    const $defs = { Inner: { $anchor: "inner", type: "integer" }, Other: { $dynamicAnchor: "other", type: "boolean" } };
    const properties = {
      a: { $ref: "#inner" },
      b: { $ref: "#/components/schemas/Holder/$defs/Inner" },
      c: { $dynamicRef: "#other" },
    };
    const holder = { schemas: { Holder: { type: "object", $defs, properties } } };
    const named = { $ref: "#/components/schemas/Holder" };
    expect(send(named, { a: 1, b: 2, c: true }, holder)).toBeDefined();
    for (const wrong of [{ a: "x" }, { b: "x" }, { c: "x" }])
      expect(() => send(named, wrong, holder)).toThrow("must be");
    expect(send({ properties: { a: { $ref: "#nowhere" } } }, { a: 1 })).toBeDefined();
  });

  test("that leads to itself ends", () => {
    const linked = {
      schemas: {
        Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node", required: ["a"] } } },
      },
    };
    expect(send({ $ref: "#/components/schemas/Node" }, { next: { a: 1 } }, linked)).toBeDefined();
  });
});

test.each([
  ["3.0.3", { type: "string", nullable: true }, null],
  ["3.1.0", { type: ["string", "null"] }, null],
  ["3.1.0", { type: "string", enum: ["a", null] }, null],
  ["3.1.0", { anyOf: [{ type: "string" }, { type: "null" }] }, null],
  ["3.1.0", { const: null }, null],
  ["3.0.3", { type: "integer", format: "int64", maximum: 2 ** 63 }, 9007199254740991],
  ["3.0.3", { minimum: 0, exclusiveMinimum: true }, 1],
  ["3.1.0", { exclusiveMinimum: 0 }, 1],
  ["3.1.0", { type: "array", prefixItems: [{ type: "string" }], items: false }, ["a"]],
  ["3.1.0", { type: "integer", default: "text" }, 1],
  ["3.1.0", true, { any: 1 }],
  [
    "3.1.0",
    { allOf: [{ type: "object", properties: { v: {} }, additionalProperties: false }, { required: ["v"] }] },
    { v: 1 },
  ],
  ["3.1.0", { type: "object", unevaluatedProperties: false, allOf: [{ properties: { v: {} } }] }, { v: 1 }],
])("a value that is valid in %s by %j is accepted: %j", (openapi, value, given) => {
  const schema = { type: "object", required: ["value"], properties: { value } };
  expect(send(schema, { value: given }, { openapi })).toBe(JSON.stringify({ value: given }));
});

test("a header declared twice in different case is one, and that of the operation counts", () => {
  const header = (name: string) => ({ name, in: "header", schema: { type: "string" } });
  const get = { operationId: "get", parameters: [header("X-ID")] };
  const { definition } = build({ paths: { "/a": { parameters: [header("x-id")], get } } });
  const [operation] = definition.operations;
  expect(operation?.wire?.map(({ name }) => name)).toEqual(["X-ID"]);
});

test.each([
  [[{ url: "http://a.example" }, { url: "https://b.example/v1/" }], "https://b.example/v1"],
  [[{ url: "http://a.example/v1" }], "http://a.example/v1"],
  [[{ url: "https://{tenant}.example" }, { url: "https://c.example" }], "https://c.example"],
  [[{ url: "https://{region}.example", variables: { region: { enum: ["eu", "us"] } } }], "https://eu.example"],
  [[{ url: "https://a.example:{port}", variables: { port: { default: 8443 } } }], "https://a.example:8443"],
])("the base URL of the servers %j is %s", (servers, expected) => {
  expect(build({ servers, paths: { "/a": { get: {} } } }).suggested.base_url).toBe(expected);
});

test.each([
  [[{}, { basic: [] }], "basic"],
  [[{ basic: [] }, {}], "basic"],
  [[{ digest: [] }], null],
  [[{ one: [], two: [] }], "api_keys"],
])("the security %j suggests the auth %s", (security, auth) => {
  const key = (name: string) => ({ type: "apiKey", in: "header", name });
  const http = { basic: { type: "http", scheme: "BASIC" }, digest: { type: "http", scheme: "digest" } };
  const securitySchemes = { one: key("x-one"), two: key("x-two"), ...http };
  const { suggested } = build({ paths: { "/a": { get: {} } }, security, components: { securitySchemes } });
  expect(suggested.auth).toBe(auth);
});
