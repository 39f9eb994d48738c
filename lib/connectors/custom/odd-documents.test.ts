import { describe, expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { toRequest } from "#lib/connectors/custom/call-custom";
import { exampleParams } from "#lib/connectors/custom/example-params";
import type { JsonObject } from "#lib/contract/wire/json-schema";

const BASE = "https://api.example.com";
const build = (document: object, openapi = "3.1.0") =>
  buildDefinition({ name: "A", baseUrl: BASE, auth: "none", document: { openapi, ...document } });

function only(document: object, openapi?: string) {
  const { definition, findings } = build(document, openapi);
  const [operation] = definition.operations;
  if (!operation) throw new Error("there is one");
  return { operation, findings, send: (params: JsonObject) => toRequest(BASE, operation, params, "s") };
}

/** An operation that takes one field. */
const field = (value: unknown, { openapi = "3.1.0", schemas = {} } = {}) => {
  const schema = { type: "object", required: ["value"], properties: { value } };
  const content = { "application/json": { schema } };
  const { operation, send } = only(
    { components: { schemas }, paths: { "/a": { post: { requestBody: { required: true, content } } } } },
    openapi,
  );
  return { operation, send: (given: unknown) => send({ body: { value: given } }).body };
};

describe("a media type is sent with the parameters that are part of its meaning:", () => {
  const body = (type: string, value: unknown = { a: 1 }) => {
    const post = { requestBody: { required: true, content: { [type]: { schema: {} } } } };
    return only({ paths: { "/a": { post } } }).send({ body: value }).headers["content-type"];
  };

  test.each([
    ["application/json; charset=utf-8; v=2", "application/json; v=2"],
    ["application/json;v=2", "application/json; v=2"],
    ["Application/JSON; Charset=UTF-8", "application/json"],
    [
      'application/vnd.api+json; ext="https://jsonapi.org/ext/version"',
      'application/vnd.api+json; ext="https://jsonapi.org/ext/version"',
    ],
    [
      "application/json;odata.metadata=minimal;IEEE754Compatible=true",
      "application/json; odata.metadata=minimal; IEEE754Compatible=true",
    ],
    ["application/json; profile=https://a.example/p", "application/json; profile=https://a.example/p"],
    ['application/json; v="a\r\nx: y"', "application/json"],
    ["application/*+json; v=2", "application/json; v=2"],
    ["application/x-www-form-urlencoded; charset=utf-8; v=2", "application/x-www-form-urlencoded"],
  ])("%j as %s", (type, expected) => {
    expect(body(type)).toBe(expected);
  });

  test("of text and bytes, and a form in parts keeps its own boundary", () => {
    expect(body("text/plain; format=flowed; charset=iso-8859-1", "a")).toBe("text/plain; format=flowed");
    expect(body("application/octet-stream; v=1", "a")).toBe("application/octet-stream; v=1");
    expect(body("multipart/form-data; boundary=x")).toMatch(/^multipart\/form-data; boundary=signalbox-/);
  });
});

describe("OpenAPI 3.2", () => {
  const parameters = [{ name: "filter", in: "querystring", content: {} }];
  const item = {
    get: { operationId: "list", parameters },
    query: { operationId: "search" },
    additionalOperations: { COPY: { operationId: "copy" } },
  };

  test("is read, and what a step can't send is named", () => {
    const { definition, findings, summary } = build({ paths: { "/a": item } }, "3.2.0");
    expect(summary.format).toBe("OpenAPI 3.2");
    expect(definition.operations.map(({ name }) => name)).toEqual(["list"]);
    expect(findings.map(({ pointer, message }) => [pointer, message])).toEqual([
      ["/paths/~1a/query", expect.stringContaining("QUERY")],
      ["/paths/~1a/additionalOperations/COPY", expect.stringContaining("COPY")],
      ["/paths/~1a/get/parameters/0", expect.stringContaining("querystring parameter filter")],
    ]);
  });

  test("has references with keywords next to them, as 3.1 has", () => {
    const schemas = { Id: { type: "string" } };
    const { send } = field({ $ref: "#/components/schemas/Id", maxLength: 2 }, { openapi: "3.2.0", schemas });
    expect(send("ab")).toBe('{"value":"ab"}');
    expect(() => send("abc")).toThrow("at most 2");
  });

  test.each(["3.3.0", "4.0.0", "3", "3.20.0", "3.2x"])("is not %s", (version) => {
    expect(() => build({ paths: { "/a": item } }, version)).toThrow("3.0 to 3.2");
  });
});

describe("keywords next to a reference", () => {
  const schemas = { Id: { type: "string" } };
  const property = (more: object, openapi: string) => {
    const schema = {
      type: "object",
      required: ["id"],
      properties: { id: { $ref: "#/components/schemas/Id", ...more } },
    };
    return field(schema, { openapi, schemas });
  };

  test.each(["3.0.3", "3.1.0"])("in %s: one that only the service sets is not asked for", (openapi) => {
    const { send, operation } = property({ readOnly: true }, openapi);
    expect(send({})).toBe('{"value":{}}');
    expect(exampleParams(operation)).toEqual({ body: { value: {} } });
    expect(() => property({}, openapi).send({})).toThrow("body.value.id: is required");
  });

  test.each(["3.0.3", "3.1.0"])("in %s: one that may be null is null", (openapi) => {
    expect(property({ nullable: true }, openapi).send({ id: null })).toBe('{"value":{"id":null}}');
    expect(() => property({ nullable: true }, openapi).send({ id: 7 })).toThrow("must be text");
    expect(() => property({}, openapi).send({ id: null })).toThrow("must be text");
  });
});

describe("a value is checked as its schema says, and no further:", () => {
  const tuple = { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: { type: "boolean" } };

  test("the first items of a list have schemas of their own", () => {
    const { send, operation } = field(tuple);
    expect(send(["a", 1, true, false])).toBe('{"value":["a",1,true,false]}');
    expect(send(["a"])).toBe('{"value":["a"]}');
    expect(() => send(["a", "b"])).toThrow("body.value.1: must be an integer");
    expect(() => send(["a", 1, 2])).toThrow("body.value.2: must be true or false");
    const example = exampleParams(operation);
    expect(toRequest(BASE, operation, example, "s").body).toMatch(/^\{"value":\["[^"]+",\d+\]\}$/);
  });

  test("an item of its own may be a reference", () => {
    const schemas = { Point: { type: "object", required: ["x"], properties: { x: { type: "number" } } } };
    const { send } = field({ type: "array", prefixItems: [{ $ref: "#/components/schemas/Point" }] }, { schemas });
    expect(send([{ x: 1 }, "anything"])).toBeDefined();
    expect(() => send([{}])).toThrow("body.value.0.x: is required");
  });

  test.each<[string, string, unknown, unknown]>([
    [
      "a reference that may be null, as 3.0 writes it",
      "3.0.3",
      { nullable: true, allOf: [{ $ref: "#/components/schemas/S" }] },
      null,
    ],
    ["a part that may be null", "3.0.3", { allOf: [{ type: "string", nullable: true }] }, null],
    ["one of a reference and null", "3.1.0", { oneOf: [{ $ref: "#/components/schemas/S" }, { type: "null" }] }, null],
    ["a choice of null alone", "3.1.0", { enum: [null] }, null],
    ["a choice with null and a type", "3.0.3", { type: "string", nullable: true, enum: ["a", null] }, null],
    ["several types", "3.1.0", { type: ["integer", "string", "null"] }, "a"],
    ["an open bound as a number", "3.1.0", { type: "number", exclusiveMinimum: 5, exclusiveMaximum: 7 }, 6],
    ["an open bound as a flag", "3.0.3", { type: "number", minimum: 5, exclusiveMinimum: true }, 6],
    ["a tuple as former drafts write it", "3.1.0", { type: "array", items: [{ type: "string" }] }, [1]],
    ["unevaluated items", "3.1.0", { type: "array", prefixItems: [{}], unevaluatedItems: false }, [1]],
    ["unevaluated fields", "3.1.0", { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1 }],
    [
      "a discriminator",
      "3.0.3",
      {
        oneOf: [{ $ref: "#/components/schemas/D" }],
        discriminator: { propertyName: "kind", mapping: { d: "#/components/schemas/D" } },
      },
      { kind: "d" },
    ],
    ["a schema that is true", "3.1.0", true, [null]],
    ["an integer as a float", "3.1.0", { type: "integer" }, 3.0],
    ["a condition", "3.1.0", { if: { type: "string" }, else: false }, "a"],
  ])("%s", (_name, openapi, value, given) => {
    const schemas = {
      S: { type: "string" },
      D: { type: "object", required: ["kind"], properties: { kind: { type: "string" } } },
    };
    expect(field(value, { openapi, schemas }).send(given)).toBe(JSON.stringify({ value: given }));
  });

  test.each<[string, unknown, unknown, string]>([
    ["a text for a number", { type: "integer" }, "7", "must be an integer"],
    ["a number for a text", { type: "string" }, 7, "must be text"],
    ["null where it is not allowed", { type: "string" }, null, "must be text"],
    ["another constant", { const: "a" }, "b", 'must be "a"'],
    ["null for a constant", { const: "a" }, null, 'must be "a"'],
    ["a fraction for an integer", { type: "integer" }, 1.5, "must be an integer"],
    ["a list for an object", { type: "object" }, [], "must be an object"],
    ["nothing of several types", { type: ["integer", "null"] }, "a", "must be an integer or null"],
  ])("but %s is refused", (_name, value, given, message) => {
    expect(() => field(value).send(given)).toThrow(message);
  });

  test("a schema that leads to itself by every way ends", () => {
    const node = { $ref: "#/components/schemas/Node" };
    const schemas = {
      Node: {
        type: "object",
        properties: { left: node, list: { type: "array", items: node }, more: { additionalProperties: node } },
        allOf: [{ anyOf: [node, {}] }],
      },
    };
    const { send } = field(node, { schemas });
    expect(send({ left: { left: { left: {} } }, list: [{ list: [] }] })).toBeDefined();
  });
});

describe("a path", () => {
  test("has the operations next to its reference, too", () => {
    const pathItems = {
      Shared: { get: { operationId: "shared" }, parameters: [{ name: "q", in: "query", schema: {} }] },
    };
    const item = { $ref: "#/components/pathItems/Shared", post: { operationId: "own" } };
    const { definition } = build({ components: { pathItems }, paths: { "/a": item } });
    expect(definition.operations.map(({ name }) => name)).toEqual(["shared", "own"]);
  });

  test("may have a query of its own, and what a step adds follows it", () => {
    const parameters = [{ name: "q", in: "query", schema: {} }];
    const { send } = only({ paths: { "/a?type=b": { get: { parameters } } } });
    expect(send({ query: { q: "c d" } }).url).toBe(`${BASE}/a?type=b&q=c%20d`);
    expect(send({}).url).toBe(`${BASE}/a?type=b`);
  });

  test("with an operation that can't be sent names it", () => {
    const { findings } = build({ paths: { "/a": { get: {}, trace: { operationId: "trace" } } } });
    expect(findings).toMatchObject([{ code: "method", pointer: "/paths/~1a/trace" }]);
  });

  test("names operations that have one id twice differently", () => {
    const { definition } = build({
      paths: {
        "/a": { get: { operationId: "x" } },
        "/b": { get: { operationId: "x" } },
        "/c": { get: { operationId: "x_2" } },
      },
    });
    expect(new Set(definition.operations.map(({ name }) => name)).size).toBe(3);
  });
});

describe("a parameter is written as its place and style say:", () => {
  const sent = (parameter: object, value: unknown, path = "/a") => {
    const given = { name: "p", in: "query", schema: {}, ...parameter } as { in: string; name: string };
    const { send } = only({ paths: { [path]: { get: { parameters: [given] } } } });
    const { url, headers } = send({ [given.in]: { [given.name]: value } } as JsonObject);
    return given.in === "header" || given.in === "cookie"
      ? (headers.p ?? headers.cookie)
      : decodeURIComponent(url.slice(BASE.length));
  };

  test.each<[object, unknown, string, string?]>([
    [{ style: "deepObject", explode: false }, { a: { b: [1, 2] } }, "/a?p[a][b][0]=1&p[a][b][1]=2"],
    [{ style: "spaceDelimited", explode: false }, ["a", "b c"], "/a?p=a b c"],
    [{ style: "form", explode: false }, { a: 1, b: [2, 3] }, "/a?p=a,1,b,[2,3]"],
    [{ style: "matrix" }, ["a"], "/a?p=a"],
    [{ name: "p[]" }, ["a", "b"], "/a?p[]=a&p[]=b"],
    [{ name: "$filter" }, "a eq 'b'", "/a?$filter=a eq 'b'"],
    [{ content: { "application/json; charset=utf-8": {} } }, { a: 1 }, '/a?p={"a":1}'],
    [{ content: { "text/plain": {} } }, "x y", "/a?p=x y"],
    [{ allowEmptyValue: true }, "", "/a?p="],
    [{}, "", "/a"],
    [{}, false, "/a?p=false"],
    [{}, 0, "/a?p=0"],
    [{ in: "path" }, "a/b", "/x/a/b", "/x/{p}"],
    [{ in: "path", style: "label", explode: true }, ["a", "b"], "/x/.a.b", "/x/{p}"],
    [{ in: "path", style: "matrix", explode: true }, { a: 1 }, "/x/;a=1", "/x/{p}"],
    [{ in: "path", style: "simple", explode: true }, { a: 1, b: 2 }, "/x/a=1,b=2", "/x/{p}"],
    [{ in: "header" }, { a: 1, b: 2 }, "a,1,b,2"],
    [{ in: "header", explode: true }, { a: 1, b: 2 }, "a=1,b=2"],
    [{ in: "cookie", explode: false }, ["a", "b"], "p=a,b"],
    [{ in: "cookie" }, ["a", "b"], "p=a; p=b"],
    [{ in: "cookie" }, { a: 1, b: 2 }, "a=1; b=2"],
  ])("%j with %j", (parameter, value, expected, path) => {
    expect(sent(parameter, value, path)).toBe(expected);
  });
});
