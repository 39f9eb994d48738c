import { describe, expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { toRequest } from "#lib/connectors/custom/call-custom";
import type { CustomAuth } from "#lib/contract/connector/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";

interface Given {
  document: JsonObject;
  baseUrl?: string;
  auth?: CustomAuth;
}

function operationOf({ document, baseUrl = "https://api.example.com/v1", auth = "none" }: Given) {
  const { definition, suggested } = buildDefinition({
    name: "A",
    baseUrl,
    auth,
    document: { openapi: "3.1.0", ...document },
  });
  const [operation] = definition.operations;
  if (!operation) throw new Error("there is one");
  const urlOf = (params: JsonObject = {}) => toRequest(baseUrl, operation, params, "run:step:").url;
  return { operation, suggested, urlOf };
}

describe("the server of an operation", () => {
  const root = [{ url: "https://api.example.com/v1" }];
  const upload = [{ url: "https://files.{region}.example.com/v2/", variables: { region: { default: "eu" } } }];

  test.each([
    ["of the operation", { get: { servers: upload } }, "https://files.eu.example.com/v2/things"],
    ["of the path", { servers: upload, get: {} }, "https://files.eu.example.com/v2/things"],
    [
      "of the operation before that of the path",
      { servers: upload, get: { servers: root } },
      "https://api.example.com/v1/things",
    ],
    ["that is a path", { get: { servers: [{ url: "/beta" }] } }, "https://api.example.com/beta/things"],
    [
      "with a query",
      { get: { servers: [{ url: "https://files.example.com/v2/?api-version=2026-01-01" }] } },
      "https://files.example.com/v2/things?api-version=2026-01-01",
    ],
    [
      "of the same address with a query",
      { get: { servers: [{ url: "https://api.example.com/v1?beta=1" }] } },
      "https://api.example.com/v1/things?beta=1",
    ],
    [
      "with a port that YAML reads as a number",
      { get: { servers: [{ url: "https://h.example:{port}/v2", variables: { port: { default: 8443 } } }] } },
      "https://h.example:8443/v2/things",
    ],
    [
      "with the first value of a variable",
      { get: { servers: [{ url: "https://{a}.{a}.example", variables: { a: { enum: ["x", "y"] } } }] } },
      "https://x.x.example/things",
    ],
    [
      "without a scheme",
      { get: { servers: [{ url: "//files.example.com/v2" }] } },
      "https://files.example.com/v2/things",
    ],
    [
      "with credentials, which are not sent",
      { get: { servers: [{ url: "https://ann:secret@files.example.com" }] } },
      "https://files.example.com/things",
    ],
    [
      "without a default for its variable",
      { get: { servers: [{ url: "https://{x}.example.com" }] } },
      "https://api.example.com/v1/things",
    ],
    [
      "of another protocol",
      { get: { servers: [{ url: "wss://api.example.com" }] } },
      "https://api.example.com/v1/things",
    ],
  ])("%s is called", (_name, item, url) => {
    expect(operationOf({ document: { servers: root, paths: { "/things": item } } }).urlOf()).toBe(url);
  });

  test("on the host of the document moves with the base URL, so a sandbox never calls production", () => {
    const document = {
      servers: root,
      paths: { "/things": { get: { servers: [{ url: "https://api.example.com/v3" }] } } },
    };
    const baseUrl = "https://sandbox.example.com/v1";
    expect(operationOf({ document, baseUrl }).urlOf()).toBe("https://sandbox.example.com/v3/things");
  });
});

describe("a parameter that the connection sends", () => {
  const securitySchemes = {
    app: { type: "apiKey", in: "header", name: "X-App-Key" },
    api: { type: "apiKey", in: "query", name: "api_key" },
  };
  const parameters = [
    { name: "x-app-key", in: "header", required: true, schema: { type: "string" } },
    { name: "api_key", in: "query", required: true, schema: { type: "string" } },
    { name: "q", in: "query", schema: { type: "string" } },
  ];
  const document = (security: unknown) => {
    return { components: { securitySchemes }, security, paths: { "/a": { get: { parameters } } } };
  };
  const asked = (security: unknown, auth: CustomAuth) =>
    operationOf({ document: document(security), auth }).operation.wire?.map(({ name }) => name);

  test("is not asked for again, and every other one is", () => {
    expect(asked([{ app: [], api: [] }], "api_keys")).toEqual(["q"]);
    expect(asked([{ api: [] }], "api_key")).toEqual(["x-app-key", "q"]);
    for (const auth of ["none", "bearer"] as const) {
      expect(asked([{ app: [], api: [] }], auth)).toEqual(["x-app-key", "api_key", "q"]);
    }
  });

  test("decides the suggested auth, if there are several", () => {
    const suggested = (security: unknown) => operationOf({ document: document(security) }).suggested.auth;
    expect(suggested([{ app: [], api: [] }])).toBe("api_keys");
    expect(suggested([{ app: [] }, { api: [] }])).toBe("api_key");
  });
});

test("cookie parameters are one header, and values cannot add another cookie", () => {
  const parameters = [
    { name: "session", in: "cookie", schema: { type: "string" } },
    { name: "ids", in: "cookie", schema: { type: "array", items: { type: "integer" } }, explode: false },
  ];
  const { operation } = operationOf({ document: { paths: { "/a": { get: { parameters } } } } });
  const params = { cookie: { session: "a; admin=1", ids: [1, 2] } };
  expect(toRequest("https://a.example", operation, params, "run:step:").headers).toEqual({
    cookie: "session=a%3B%20admin%3D1; ids=1,2",
  });
});
