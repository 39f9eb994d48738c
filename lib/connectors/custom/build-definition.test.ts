import { gzipSync } from "node:zlib";
import { describe, expect, it, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { toRequest } from "#lib/connectors/custom/call-custom";
import { BuildRefused } from "#lib/connectors/custom/custom-definition";
import { ORDERS_YAML } from "#lib/connectors/custom/orders.fixture";

const build = (document: unknown) =>
  buildDefinition({ name: "Orders", baseUrl: "https://api.example.com/v1/", auth: "none", document });

function refusal(document: unknown) {
  try {
    build(document);
  } catch (error) {
    if (error instanceof BuildRefused) return error.finding;
    throw error;
  }
  return expect.fail("it was built");
}

const operations = (document: unknown) => build(document).definition.operations;
const [getOrder, postOrder] = operations(ORDERS_YAML);
if (!getOrder || !postOrder) throw new Error("the fixture has two operations");

test("operations are named by operationId or by method and path, and each name is unique", () => {
  const same = { operationId: "same", responses: {} };
  const document = { openapi: "3.1.0", paths: { "/a": { get: same, put: same }, "/b/{id}": {} } };
  expect(operations(document).map(({ name }) => name)).toEqual(["same", "same_2"]);
  expect([getOrder.name, postOrder.name]).toEqual(["getOrder", "post_orders"]);
});

test("a recursive schema is cut, and parameters that cannot be sent are reported", () => {
  expect(getOrder.outputSchema).toMatchObject({ properties: { total: { type: "number" }, replaces: {} } });
  expect(build(ORDERS_YAML).findings.map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining(["/paths/~1orders~1{order_id}/get/parameters/1"]),
  );
});

describe("a request", () => {
  const request = (operation: typeof getOrder, params: unknown) =>
    toRequest("https://api.example.com/v1/", operation, params, "run:step:");

  it("stays below the base URL, whatever a parameter contains", () => {
    const params = { path: { order_id: "../../admin?x=1#y" }, query: { expand: "items" } };
    const url = "https://api.example.com/v1/orders/..%2F..%2Fadmin%3Fx%3D1%23y?expand=items";
    expect(request(getOrder, params)).toMatchObject({ method: "GET", url });
    for (const order_id of [".", "..", "%2e%2E", ".%2e", "%25252e.", "..;", ".;v=1", "..%3b", "", {}, [], [".."]]) {
      expect(() => request(getOrder, { path: { order_id } })).toThrow("path.order_id");
    }
    const dots = { ...getOrder, path: "/orders/{order_id}{order_id}" };
    expect(() => request(dots, { path: { order_id: "." } })).toThrow("path.order_id");
    const versioned = { ...getOrder, path: "/orders/{order_id};v=1/lines" };
    expect(() => request(versioned, { path: { order_id: ".." } })).toThrow("path.order_id");
    expect(request(versioned, { path: { order_id: "a;v=2" } }).url).toContain("/orders/a%3Bv%3D2;v=1/lines");
  });

  it("has no fragment of its path, which only distinguishes operations of one address", () => {
    const share = { ...getOrder, path: "/orders/{order_id}#get_shared_link" };
    const params = { path: { order_id: 7 }, query: { expand: "a b" } };
    expect(request(share, params).url).toBe("https://api.example.com/v1/orders/7?expand=a%20b");
    const asked = { ...getOrder, path: "/orders/{order_id}?action=share#get" };
    expect(request(asked, params).url).toBe("https://api.example.com/v1/orders/7?action=share&expand=a%20b");
  });

  it("keeps the query of its server after the path", () => {
    const params = { path: { order_id: 7 }, query: { expand: "x" } };
    const urlAt = (server: string) => request({ ...getOrder, server }, params).url;
    expect(urlAt("https://h/v1/?version=%202#top")).toBe("https://h/v1/orders/7?version=%202&expand=x");
    expect(urlAt("https://h/v1/")).toBe("https://h/v1/orders/7?expand=x");
  });

  it("is rejected without what the document requires", () => {
    expect(() => request(getOrder, {})).toThrow("path.order_id: is required");
    expect(() => request(postOrder, {})).toThrow("body: is required");
  });

  it("is rejected with a parameter that the operation does not take, and names the nearest one", () => {
    const params = { path: { order_id: "1" }, query: { expnd: "items" } };
    expect(() => request(getOrder, params)).toThrow(
      'query.expnd: is not a parameter of the operation; did you mean "expand"?',
    );
  });
});

test("a small document with endlessly unfolding references becomes a small connector", () => {
  const far = (n: number) => ({ $ref: `#/components/schemas/s${Math.min(n, 25)}` });
  const schemas: Record<string, unknown> = {
    s25: { enum: Array.from({ length: 10_000 }, String), pattern: "x".repeat(100_000) },
  };
  for (let n = 0; n < 25; n += 1) {
    schemas[`s${n}`] = { properties: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`p${i}`, far(n + 1)])) };
  }
  const get = { responses: { 200: { content: { "application/json": { schema: far(0) } } } } };
  const all = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`/${n}`, { get }]));
  const document = { openapi: "3.0.0", paths: all, components: { schemas } };
  const outcome = () => JSON.stringify(build(document)).length;
  let size = 0;
  try {
    size = outcome();
  } catch (error) {
    expect(error).toBeInstanceOf(BuildRefused);
  }
  expect(size).toBeLessThan(8_000_000);
});

const paths = (operation: unknown) => ({ openapi: "3.0.0", paths: { "/a": { get: operation } } });
const bomb = () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 12; level += 1) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  }
  return `openapi: 3.0.0\n${lines.join("\n")}`;
};

function wide() {
  const names = Array.from({ length: 2_000 }, (_, n) => [`p${n}`, { type: "string", description: "d".repeat(300) }]);
  const get = { responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/w" } } } } } };
  const all = Array.from({ length: 200 }, (_, n) => [`/${n}`, { get }]);
  return {
    openapi: "3.0.0",
    paths: Object.fromEntries(all),
    components: { w: { properties: Object.fromEntries(names) } },
  };
}

function chain() {
  const links = Array.from({ length: 1_000 }, (_, n) => [`x${n}`, { $ref: `#/components/x${n + 1}` }]);
  return { ...paths({ requestBody: { $ref: "#/components/x0" } }), components: Object.fromEntries(links) };
}

test("a wide schema in every operation is cut so that the connector fits, and the build reports it", () => {
  const { definition, findings } = build(wide());
  expect(definition.operations).toHaveLength(200);
  expect(JSON.stringify(definition).length).toBeLessThan(4_194_304);
  expect(findings[0]).toMatchObject({ code: "schema_cut", severity: "left_out" });
});

test("an operation with a fault is left out, and the others are built", () => {
  const healthy = { responses: { 200: {} } };
  const faulty = { requestBody: { $ref: "#/components/nothing" } };
  const { definition, findings } = build({ openapi: "3.0.0", paths: { "/a": { get: faulty, put: healthy } } });
  expect(definition.operations.map(({ name }) => name)).toEqual(["put_a"]);
  expect(findings).toEqual([
    expect.objectContaining({ pointer: "/paths/~1a/get/requestBody/$ref", code: "unknown_reference" }),
  ]);
});

test("an answer that cannot be resolved leaves the operation callable", () => {
  const get = { responses: { 200: { $ref: "https://evil.example/x.json" } } };
  const { definition, findings } = build(paths(get));
  expect(definition.operations[0]?.outputSchema).toEqual({});
  expect(findings[0]).toMatchObject({
    pointer: "/paths/~1a/get/responses/200/$ref",
    message: expect.stringContaining("another document"),
  });
});

test("a finding names the line and the column in the text", () => {
  const text = `openapi: 3.0.0
paths:
  /a:
    get:
      requestBody: { $ref: '#/components/nothing' }
    put: { responses: {} }
`;
  expect(build(text).findings[0]).toMatchObject({ line: 5, column: 7 });
  expect(build(Buffer.from(JSON.stringify(paths({ callbacks: {} }), null, 2))).findings[0]).toMatchObject({
    code: "callbacks",
    line: 6,
    column: 9,
  });
});

test("a document that is not valid names the line of the fault", () => {
  expect(refusal("openapi: 3.0.0\npaths: ]\n")).toMatchObject({ code: "unreadable", line: 2, column: 8 });
});

test("a document compressed with gzip is read, and one that unfolds beyond the limit is refused", () => {
  const { definition } = build(gzipSync(ORDERS_YAML));
  expect(definition.operations).toHaveLength(2);
  expect(refusal(gzipSync(Buffer.alloc(21 * 1_048_576)))).toMatchObject({
    code: "too_large",
    message: expect.stringContaining("20 MiB"),
  });
});

test.each([
  ["Swagger 1.2", { swagger: "1.2", paths: {} }, "/swagger", "1.2"],
  ["an unknown version", { openapi: "3.3.0", paths: {} }, "/openapi", "3.3.0"],
  ["an incomplete document", "[1, 2", "", "isn't valid JSON or YAML"],
  ["endlessly unfolding aliases", bomb(), "", "more than 3000000 values"],
  ["too many aliases", `openapi: 3.0.0\na: &a 1\nb: [${"*a, ".repeat(1_001)}]`, "", "aliases"],
  ["deep nesting in JSON", "[".repeat(100_000), "", "nested more than"],
  ["deep nesting in YAML", `a: ${"[".repeat(5_000)}`, "", "nested more than"],
  ["nested lists in YAML", `openapi: 3.0.0\nx:\n  ${"- ".repeat(50_000)}1`, "", "nested more than"],
  ["YAML with too many values", `openapi: 3.0.0\nx: [${"a,".repeat(3_000_001)}]`, "", "3000000 values"],
  ["YAML full of errors", `openapi: 3.0.0\n${"x: ]\n".repeat(60_000)}`, "", "bad indentation"],
  ["YAML full of errors within brackets", `openapi: 3.0.0\nx: [${"'' ".repeat(60_000)}]`, "", "missed comma"],
  ["an alias that contains itself", "openapi: 3.0.0\npaths: &p {a: *p}", "", "nested"],
  ["a long chain of references", chain(), "/paths/~1a/get/requestBody/$ref", "more than 20 others"],
  ["more than 20 MiB", "a".repeat(20_971_521), "", "20 MiB"],
  [
    "another document's body",
    paths({ requestBody: { $ref: "https://evil.example/x.json" } }),
    "/paths/~1a/get/requestBody/$ref",
    "another document",
  ],
  [
    "a path in another document",
    { openapi: "3.0.0", paths: { "/a": { $ref: "./a.yaml" } } },
    "/paths/~1a/$ref",
    "another document",
  ],
  [
    "an operation in another document",
    { openapi: "3.0.0", paths: { "/a": { get: { $ref: "./a.yaml" } } } },
    "/paths/~1a/get/$ref",
    "another document",
  ],
  [
    "a reference to itself",
    { ...paths({ requestBody: { $ref: "#/components/x" } }), components: { x: { $ref: "#/components/x" } } },
    "/paths/~1a/get/requestBody/$ref",
    "leads to itself",
  ],
  [
    "more than 200 operations",
    { openapi: "3.0.0", paths: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`/${n}`, { get: {} }])) },
    "/paths",
    "201 operations",
  ],
])("%s is rejected in plain words, with its place", (_, document, pointer, words) => {
  expect(refusal(document)).toMatchObject({ pointer, message: expect.stringContaining(words) });
});
