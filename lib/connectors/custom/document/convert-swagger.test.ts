import { expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { convertSwagger } from "#lib/connectors/custom/document/convert-swagger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";

const SWAGGER = {
  swagger: "2.0",
  info: { title: "Shop" },
  host: "shop.example.com",
  basePath: "/v2",
  schemes: ["http", "https"],
  consumes: ["application/json"],
  produces: ["application/json"],
  securityDefinitions: {
    login: { type: "oauth2", flow: "accessCode", authorizationUrl: "https://a.example", tokenUrl: "https://t.example" },
    plain: { type: "basic" },
  },
  parameters: {
    order: { name: "order", in: "body", required: true, schema: { $ref: "#/definitions/Order" } },
    limit: { name: "limit", in: "query", type: "integer", maximum: 50 },
  },
  responses: { order: { description: "An order", schema: { $ref: "#/definitions/Order" } } },
  definitions: { Order: { type: "object", required: ["total"], properties: { total: { type: "number" } } } },
  paths: {
    "/orders": {
      parameters: [{ $ref: "#/parameters/limit" }],
      get: {
        parameters: [
          { name: "ids", in: "query", type: "array", items: { type: "integer" }, collectionFormat: "multi" },
          { name: "sort", in: "query", type: "array", items: { type: "string" } },
          { name: "state", in: "query", type: "array", items: { type: "string" }, collectionFormat: "pipes" },
        ],
        responses: { 200: { $ref: "#/responses/order" } },
      },
      post: { parameters: [{ $ref: "#/parameters/order" }], responses: { 201: { description: "made" } } },
    },
    "/files": {
      post: {
        consumes: ["multipart/form-data"],
        parameters: [
          { name: "file", in: "formData", type: "file", required: true },
          { name: "title", in: "formData", type: "string", description: "Shown." },
        ],
        responses: {},
      },
    },
    "/notes": { put: { parameters: [{ name: "text", in: "formData", type: "string" }], responses: {} } },
  },
};

const at = (document: JsonObject, ...path: (string | number)[]) => getPath(document, path);
const converted = convertSwagger(SWAGGER);

test("host, base path and schemes become a server, with HTTPS if the service has it", () => {
  expect(converted.servers).toEqual([{ url: "https://shop.example.com/v2" }]);
  expect(convertSwagger({ swagger: "2.0", basePath: "/v2" }).servers).toEqual([{ url: "/v2" }]);
});

test("security definitions become the schemes of OpenAPI 3", () => {
  expect(at(converted, "components", "securitySchemes")).toEqual({
    login: {
      type: "oauth2",
      flows: {
        authorizationCode: { authorizationUrl: "https://a.example", tokenUrl: "https://t.example", scopes: {} },
      },
    },
    plain: { type: "http", scheme: "basic" },
  });
});

test("the collection format of a parameter becomes its style", () => {
  const parameters = at(converted, "paths", "/orders", "get", "parameters");
  expect(parameters).toEqual([
    { name: "limit", in: "query", schema: { type: "integer", maximum: 50 } },
    expect.objectContaining({ name: "ids", style: "form", explode: true, schema: expect.anything() }),
    expect.objectContaining({ name: "sort", style: "form", explode: false }),
    expect.objectContaining({ name: "state", style: "pipeDelimited", explode: false }),
  ]);
});

test("a body parameter becomes a body of the declared type, also by reference", () => {
  expect(at(converted, "paths", "/orders", "post", "requestBody")).toEqual({
    required: true,
    content: { "application/json": { schema: { $ref: "#/definitions/Order" } } },
  });
});

test("form parameters become one body, which is multipart if there is a file", () => {
  expect(at(converted, "paths", "/files", "post", "requestBody")).toEqual({
    required: true,
    content: {
      "multipart/form-data": {
        encoding: {},
        schema: {
          type: "object",
          required: ["file"],
          properties: {
            file: { type: "string", format: "binary" },
            title: { type: "string", description: "Shown." },
          },
        },
      },
    },
  });
  const form = at(converted, "paths", "/notes", "put", "requestBody", "content") as JsonObject;
  expect(Object.keys(form)).toEqual(["application/x-www-form-urlencoded"]);
});

test("a Swagger 2.0 document builds the operations that it describes", () => {
  const source = { name: "Shop", baseUrl: "https://shop.example.com/v2", auth: "none" } as const;
  const { definition, suggested, summary } = buildDefinition({ ...source, document: SWAGGER });
  const [list, create] = definition.operations;
  expect(list?.paramsSchema).toMatchObject({
    properties: { query: { properties: { limit: { maximum: 50 }, ids: { items: { type: "integer" } } } } },
  });
  expect(list?.outputSchema).toMatchObject({ properties: { total: { type: "number" } }, required: ["total"] });
  expect(create).toMatchObject({ bodyType: "application/json", required: ["body"] });
  expect(suggested).toMatchObject({ base_url: "https://shop.example.com/v2", auth: "oauth2_authorization_code" });
  expect(summary.format).toBe("Swagger 2.0");
});

test("a version that YAML reads as a number is Swagger 2.0", () => {
  const document = "swagger: 2.0\npaths:\n  /a:\n    get: { responses: {} }\n";
  expect(buildDefinition({ name: "A", baseUrl: "https://a.example", auth: "none", document }).summary.format).toBe(
    "Swagger 2.0",
  );
});
