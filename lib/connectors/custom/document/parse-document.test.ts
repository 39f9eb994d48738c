import { describe, expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { BuildRefused } from "#lib/connectors/custom/custom-definition";

const build = (document: unknown) =>
  buildDefinition({ name: "A", baseUrl: "https://api.example.com", auth: "none", document });
const schemaOf = (document: unknown) => build(document).definition.operations[0]?.paramsSchema.properties;

function findingOf(document: unknown) {
  try {
    build(document);
  } catch (error) {
    if (error instanceof BuildRefused) return error.finding;
    throw error;
  }
  throw new Error("it is accepted");
}

/** A document whose only operation takes this body. */
const withBody = (schema: string, more = "") => `openapi: 3.1.0
${more}
paths:
  /a:
    post:
      operationId: send
      requestBody:
        required: true
        content:
          application/json:
            schema:
${schema.replace(/^/gm, "              ")}
`;
const BASE = `x-base: &base
  type: object
  required: [id]
  properties:
    id: { type: string }
x-more: &more
  required: [other]
  description: More`;

describe("merge keys in YAML", () => {
  test.each([
    ["one mapping", "<<: *base", { type: "object", required: ["id"] }],
    ["a key before it, which wins", "required: [mine]\n<<: *base", { type: "object", required: ["mine"] }],
    ["a key after it, which wins", "<<: *base\nrequired: [mine]", { type: "object", required: ["mine"] }],
    [
      "a list, whose first one wins",
      "<<: [*more, *base]",
      { type: "object", required: ["other"], description: "More" },
    ],
    ["a mapping that is written there", "<<: { type: object }\ndescription: D", { type: "object", description: "D" }],
  ])("with %s are merged", (_name, schema, expected) => {
    expect(schemaOf(withBody(schema, BASE))).toMatchObject({ body: expected });
  });

  test("merge operations, parameters and what was merged itself", () => {
    const document = `openapi: 3.1.0
x-defaults: &defaults
  tags: [orders]
  parameters:
    - &limit { name: limit, in: query, schema: { type: integer } }
x-search: &search
  <<: *defaults
  summary: Search
paths:
  /a:
    get: { <<: *search, operationId: search }
  /b:
    get:
      operationId: list
      parameters: [{ <<: *limit, required: true }]
`;
    const { operations } = build(document).definition;
    expect(operations.map(({ name, title, required }) => [name, title, required])).toEqual([
      ["search", "Search", []],
      ["list", "list", ["query.limit"]],
    ]);
    expect(operations[0]?.paramsSchema.properties).toMatchObject({ query: { properties: { limit: {} } } });
  });

  test("are a key like any other if they are quoted, and in JSON", () => {
    const properties = { "<<": { type: "string" } };
    const content = { "application/json": { schema: { type: "object", properties } } };
    const json = { openapi: "3.1.0", paths: { "/a": { post: { requestBody: { content } } } } };
    for (const document of [JSON.stringify(json), withBody('type: object\nproperties:\n  "<<": { type: string }')]) {
      expect(schemaOf(document)).toMatchObject({ body: { properties } });
    }
  });

  test("with something else than mappings are an error with its place", () => {
    expect(findingOf(withBody("<<: text"))).toMatchObject({
      code: "unreadable",
      message: expect.stringContaining("merge"),
      line: expect.any(Number),
    });
  });

  test("that multiply what they merge end at a limit", () => {
    const names = Array.from({ length: 500 }, (_, index) => `k${index}: 1`).join(", ");
    const merges = Array.from({ length: 500 }, (_, index) => `m${index}: { <<: *a }`).join("\n");
    expect(findingOf(`openapi: 3.1.0\nx: &a { ${names} }\n${merges}\n`).code).toBe("unreadable");
    const bomb = Array.from({ length: 30 }, (_, index) => `x${index + 1}: &x${index + 1} [*x${index}, *x${index}]`);
    expect(findingOf(`openapi: 3.1.0\nx0: &x0 [1, 2]\n${bomb.join("\n")}\n`).code).toMatch(/^too_/);
    expect(findingOf("openapi: 3.1.0\nx: &x { inner: *x }\n").code).toMatch(/^too_deep|unreadable$/);
  });
});

describe("YAML is read as its core schema says", () => {
  test("so words, dates and numbers of YAML 1.1 are texts, and keys are texts", () => {
    const document = withBody(`type: object
properties:
  on: { type: string, enum: [yes, no, on, off, 1_000, 2024-01-01, 0777, 12:30:45] }
  200: { type: integer }
  null: { type: integer, maximum: .inf }
  0x10: {}`);
    expect(schemaOf(document)).toMatchObject({
      body: {
        properties: {
          on: { enum: ["yes", "no", "on", "off", "1_000", "2024-01-01", 777, "12:30:45"] },
          200: { type: "integer" },
          null: { type: "integer" },
        },
      },
    });
  });

  test.each([
    ["openapi: 3.0", "OpenAPI 3.0"],
    ["openapi: 3.1", "OpenAPI 3.1"],
    ["openapi: '3.1.1'", "OpenAPI 3.1"],
    ["swagger: 2.0", "Swagger 2.0"],
  ])("and %s is %s", (line, format) => {
    expect(build(`${line}\npaths: { /a: { get: {} } }`).summary.format).toBe(format);
  });

  test.each([
    ["a byte order mark", "\uFEFFopenapi: 3.1.0\npaths: { /a: { get: {} } }"],
    ["a byte order mark before JSON", '\uFEFF{"openapi":"3.1.0","paths":{"/a":{"get":{}}}}'],
    ["UTF-16", Buffer.from("\uFEFFopenapi: 3.1.0\npaths: { /a: { get: {} } }", "utf16le")],
    ["lines that end in CRLF", "openapi: 3.1.0\r\npaths:\r\n  /a:\r\n    get: {}\r\n"],
    ["several documents, of which the first counts", "---\nopenapi: 3.1.0\npaths: { /a: { get: {} } }\n---\nb: 1\n"],
    ["a trailing comma", '{"openapi":"3.1.0","paths":{"/a":{"get":{},},},}'],
    ["a comment of YAML in braces", '{"openapi":"3.1.0", # note\n"paths":{"/a":{"get":{}}}}'],
    ["addresses without quotes in braces", "{openapi: 3.1.0, servers: [{url: //h/x}], paths: {/a: {get: {}}}}"],
  ])("with %s", (_what, document) => {
    expect(build(document).definition.operations).toHaveLength(1);
  });

  test("a key that is written twice is reported with its place, and the last one counts", () => {
    const { definition, findings } = build("openapi: 3.1.0\npaths:\n  /a:\n    get: {}\n  /a:\n    post: {}\n");
    expect(definition.operations.map(({ method }) => method)).toEqual(["post"]);
    expect(findings).toMatchObject([{ severity: "left_out", code: "repeated_key", line: 5 }]);
  });

  test.each([
    ["a comment of JavaScript", '{\n  // The version\n  "openapi": "3.1.0"\n}', "JSON can't contain comments", 2],
    ["a block comment", '{"openapi": "3.1.0", /* x */ "paths": {}}', "JSON can't contain comments", 1],
    ["a tab", "openapi: 3.1.0\npaths:\n\t/a: {}\n", "tab", 3],
    ["a tag of an object", "openapi: 3.1.0\nx: !!js/function f\n", "tag", 2],
  ])("%s is an error that names its line", (_what, document, words, line) => {
    expect(findingOf(document)).toMatchObject({ code: "unreadable", message: expect.stringContaining(words), line });
  });
});

describe("a number beyond 2^53", () => {
  const yaml = (default_: string) => `openapi: 3.1.0
paths:
  /a:
    get:
      operationId: find
      parameters:
        - name: id
          in: query
          schema: { type: integer, format: int64, maximum: 9223372036854775807, minimum: 1, default: ${default_} }
`;
  const json = (id: string) => `{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"find","parameters":[
    {"name":"id","in":"query","schema":{"type":"integer","maximum":9223372036854775807,"minimum":1,"default":${id}}}]}}}}`;

  test.each([
    ["YAML", yaml],
    ["JSON", json],
  ])("keeps its digits as a default in %s, and stays a number as a bound", (_format, document) => {
    const withId = (id: object) => ({ query: { properties: { id } } });
    expect(schemaOf(document("8202522731445525542"))).toMatchObject(
      withId({ minimum: 1, maximum: 2 ** 63, default: "8202522731445525542" }),
    );
    expect(schemaOf(document("9007199254740991"))).toMatchObject(withId({ default: 9007199254740991 }));
  });
});
