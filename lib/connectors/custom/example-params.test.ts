import { expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { toRequest } from "#lib/connectors/custom/call-custom";
import { checkOperationParams } from "#lib/connectors/custom/check-operation-params";
import { exampleParams } from "#lib/connectors/custom/example-params";

const BASE = "https://api.example.com";

function exampleOf(operation: object, { path = "/a", components = {} } = {}) {
  const document = { openapi: "3.1.0", paths: { [path]: { post: operation } }, components };
  const [built] = buildDefinition({ name: "A", baseUrl: BASE, auth: "none", document }).definition.operations;
  if (!built) throw new Error("there is one");
  const params = exampleParams(built);
  expect(checkOperationParams(built, params)).toEqual([]);
  toRequest(BASE, built, params, "seed");
  return params;
}

const body = (schema: object, media: object = {}) => ({
  requestBody: { content: { "application/json": { schema, ...media } } },
});
const parameter = (name: string, schema: object, more: object = {}) => ({ name, in: "query", schema, ...more });

test("the example of an operation has what it requires, and the body, although it is optional", () => {
  const schema = {
    type: "object",
    required: ["email", "total", "lines", "status", "id"],
    properties: {
      id: { type: "string", readOnly: true },
      email: { type: "string", format: "email" },
      total: { type: "integer", minimum: 10, multipleOf: 4 },
      lines: { type: "array", minItems: 2, items: { type: "object", required: ["sku"], properties: { sku: {} } } },
      status: { type: "string", enum: ["open", "closed"] },
      note: { type: "string" },
    },
  };
  const parameters = [{ name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } }];
  expect(exampleOf({ parameters, ...body(schema) }, { path: "/a/{id}" })).toEqual({
    path: { id: "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b" },
    body: {
      email: "person@example.com",
      total: 12,
      status: "open",
      lines: [{ sku: "text" }, { sku: "text" }],
    },
  });
});

test.each([
  ["a media type", body({ type: "object" }, { example: { a: 1 } }), { a: 1 }],
  ["a named one", body({ type: "object" }, { examples: { one: { value: { a: 2 } } } }), { a: 2 }],
  ["a reference", body({ type: "object" }, { examples: { one: { $ref: "#/components/examples/One" } } }), { a: 9 }],
  ["a schema", body({ type: "object", example: { a: 3 } }), { a: 3 }],
  ["a list of a schema", body({ type: "object", examples: [{ a: 4 }] }), { a: 4 }],
  [
    "fields, completed with what is required",
    body({
      type: "object",
      required: ["b"],
      properties: { a: { type: "integer", example: 5 }, b: { type: "string" } },
    }),
    { a: 5, b: "text" },
  ],
  [
    "something that the schema refuses, which is not used",
    body({ type: "object", required: ["a"], properties: { a: { type: "integer" } } }, { example: { a: "text" } }),
    { a: 1 },
  ],
])("the example of a document is taken from %s", (_where, operation, expected) => {
  const components = { examples: { One: { value: { a: 9 } } } };
  expect(exampleOf(operation, { components })).toEqual({ body: expected });
});

test.each([
  [
    "a choice",
    { oneOf: [{ type: "object", required: ["kind"], properties: { kind: { const: "a" } } }] },
    { kind: "a" },
  ],
  [
    "parts",
    { allOf: [{ type: "object", required: ["a"], properties: { a: { type: "boolean" } } }, { required: ["b"] }] },
    { a: true, b: "text" },
  ],
  ["a map", { type: "object", additionalProperties: { type: "string" } }, {}],
  ["a list", { type: "array", items: { type: "number", exclusiveMinimum: 5 } }, [5.5]],
  ["a default of another type", { type: "integer", default: "x", maximum: 0 }, 0],
  ["null or a number", { type: ["null", "integer"] }, 1],
  ["a pattern and a length", { type: "string", pattern: "^[A-Z]{3}$", maxLength: 3 }, "ABC"],
  ["a length", { type: "string", minLength: 60 }, "text".repeat(15)],
])("a value of %s fits its schema", (_kind, schema, expected) => {
  expect(exampleOf(body({ type: "object", required: ["v"], properties: { v: schema } }))).toEqual({
    body: { v: expected },
  });
});

test("an operation that requires nothing shows some of what it takes", () => {
  const status = parameter("status", { type: "string", enum: ["open", "closed"] });
  const limit = parameter("limit", { type: "integer" }, { example: 20 });
  expect(exampleOf({ parameters: [parameter("q", {}), status, limit] })).toEqual({
    query: { status: "open", limit: 20 },
  });
  expect(exampleOf({ parameters: [parameter("q", { type: "string" })] })).toEqual({ query: { q: "text" } });
  expect(exampleOf({})).toEqual({});
});

test("a file is an example that can be sent", () => {
  const file = { type: "string", format: "binary" };
  const schema = { type: "object", required: ["file"], properties: { file } };
  expect(exampleOf({ requestBody: { required: true, content: { "multipart/form-data": { schema } } } })).toEqual({
    body: { file: { text: "Hello", filename: "hello.txt" } },
  });
});

test("a schema that contains itself has an example", () => {
  const Node = { type: "object", required: ["next"], properties: { next: { $ref: "#/components/schemas/Node" } } };
  const post = body({ $ref: "#/components/schemas/Node" });
  expect(exampleOf(post, { components: { schemas: { Node } } })).toMatchObject({ body: { next: {} } });
});
