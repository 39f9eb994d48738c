import { expect, test } from "vitest";
import { buildDefinition, documentOf } from "#lib/connectors/custom/build-definition";
import { compareConnectors } from "#lib/connectors/custom/compare-connectors";
import { describeOperations } from "#lib/connectors/custom/describe-operations";
import { ORDERS_YAML } from "#lib/connectors/custom/orders.fixture";

const build = (document: unknown, documentUrl: string | null = null) =>
  buildDefinition({ name: "Orders", baseUrl: "https://api.example.com", auth: "none", document, documentUrl });

test("operations described by hand produce the same connector", () => {
  const form = { "application/x-www-form-urlencoded": { schema: { type: "object" } } };
  const operation = {
    summary: "Search orders",
    description: "By words",
    parameters: [{ name: "q", in: "query", required: true, description: "Words", schema: { type: "string" } }],
    requestBody: { content: form },
    responses: { 200: { content: { "application/json": { schema: { type: "array" } } } } },
  };
  for (const document of [ORDERS_YAML, { openapi: "3.1.0", paths: { "/search": { post: operation } } }]) {
    const { definition } = build(document);
    const again = build(documentOf("Orders", describeOperations(definition))).definition;
    expect(again.operations).toEqual(definition.operations);
  }
});

test("the changes of a build are listed by operation, without changes of descriptions", () => {
  const before = build(ORDERS_YAML).definition;
  const changesOf = (document: string) => compareConnectors(before, build(document).definition);
  const nothing = { base_url: null, auth: null, added: [], removed: [], changed: [] };
  expect(changesOf(ORDERS_YAML.replace("expand, in", "expand, description: More, in"))).toEqual(nothing);
  expect(changesOf(ORDERS_YAML.replace("expand, in: query,", "fields, in: query, required: true,"))).toMatchObject({
    changed: [{ operation: "getOrder", changes: ["no longer takes query.expand", "requires query.fields"] }],
  });
  expect(changesOf(ORDERS_YAML.replace("getOrder", "readOrder"))).toMatchObject({
    added: ["readOrder"],
    removed: ["getOrder"],
  });
  expect(changesOf(ORDERS_YAML.replace("total: { type: number }", "total: { type: string }")).changed).toEqual([
    {
      operation: "getOrder",
      changes: ["returns a different response"],
      breaking: ["returns string as body.total, was number"],
    },
    {
      operation: "post_orders",
      changes: ["has a different schema for body"],
      breaking: ["takes string as body.total, was number"],
    },
  ]);
});

test.each([
  [
    { servers: [{ url: "https://{region}.example.com/v1/", variables: { region: { default: "eu" } } }] },
    "https://eu.example.com/v1",
  ],
  [{ servers: [{ url: "/v2" }] }, "https://docs.example.com/v2"],
  [{ servers: [{ url: "https://{tenant}.example.com" }] }, null],
  [{}, null],
])("the base URL of a document with %j is %s", (more, baseUrl) => {
  const document = { openapi: "3.1.0", info: { title: " Orders " }, paths: { "/a": { get: {} } }, ...more };
  expect(build(document, "https://docs.example.com/openapi.json").suggested).toEqual({
    name: "Orders",
    base_url: baseUrl,
    auth: "none",
    service: null,
  });
});

test.each([
  [{ type: "http", scheme: "Bearer" }, "bearer"],
  [{ type: "http", scheme: "basic" }, "basic"],
  [{ type: "apiKey" }, "api_key"],
  [{ type: "oauth2", flows: { clientCredentials: {} } }, "oauth2_client_credentials"],
  [{ type: "oauth2", flows: { authorizationCode: {}, clientCredentials: {} } }, "oauth2_authorization_code"],
  [{ type: "mutualTLS" }, null],
])("a document that requires %j suggests the auth %s", (scheme, auth) => {
  const components = { securitySchemes: { other: { type: "apiKey" }, used: scheme } };
  const document = { openapi: "3.0.3", paths: { "/a": { get: {} } }, components, security: [{ used: [] }] };
  expect(build(document).suggested.auth).toBe(auth);
});

const GITHUB = { authorizationUrl: "https://github.com/login/oauth/authorize", tokenUrl: "https://a.example/token" };

test.each([
  [{ servers: [{ url: "https://api.github.com" }] }, "github"],
  [{ servers: [{ url: "https://gmail.googleapis.com/gmail/v1" }] }, "google"],
  [
    { components: { securitySchemes: { sign_in: { type: "oauth2", flows: { authorizationCode: GITHUB } } } } },
    "github",
  ],
  [{ servers: [{ url: "https://api.github.com.example.com" }] }, null],
])("a document with %j suggests the service %s", (more, service) => {
  expect(build({ openapi: "3.0.3", paths: { "/a": { get: {} } }, ...more }).suggested.service?.service ?? null).toBe(
    service,
  );
});
