import { describe, expect, it, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { toHttpParams } from "#lib/connectors/custom/call-custom";
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
  it("stays below the base URL, whatever a parameter contains", () => {
    const params = { path: { order_id: "../../admin?x=1#y" }, query: { expand: "items", unknown: 1 } };
    expect(toHttpParams("https://api.example.com/v1/", getOrder, params)).toMatchObject({
      method: "GET",
      url: "https://api.example.com/v1/orders/..%2F..%2Fadmin%3Fx%3D1%23y",
      query: { expand: "items" },
    });
    for (const order_id of [".", "..", {}]) {
      expect(() => toHttpParams("https://a.example", getOrder, { path: { order_id } })).toThrow("path.order_id");
    }
  });

  it("is rejected without what the document requires", () => {
    expect(() => toHttpParams("https://a.example", getOrder, {})).toThrow("path.order_id: is required");
    expect(() => toHttpParams("https://a.example", postOrder, {})).toThrow("body: is required");
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

test.each([
  ["Swagger 2.0", { swagger: "2.0", paths: {} }, "/swagger", "Swagger 2.0"],
  ["an unknown version", { openapi: "3.2.0", paths: {} }, "/openapi", "3.2.0"],
  ["an incomplete document", "[1, 2", "", "isn't valid JSON or YAML"],
  ["endlessly unfolding aliases", bomb(), "", "alias"],
  ["deep nesting in JSON", "[".repeat(100_000), "", "nested"],
  ["deep nesting in YAML", `a: ${"[".repeat(5_000)}`, "", ""],
  ["nested lists in YAML", `openapi: 3.0.0\nx:\n  ${"- ".repeat(50_000)}1`, "", "nested too deeply"],
  ["YAML that takes long to read", `openapi: 3.0.0\nx: [${"a,".repeat(1_000_000)}]`, "", "Provide it as JSON"],
  ["YAML full of errors", `openapi: 3.0.0\n${"x: ]\n".repeat(60_000)}`, "", "Unexpected flow-seq-end token"],
  ["YAML full of errors within brackets", `openapi: 3.0.0\nx: [${"'' ".repeat(60_000)}]`, "", "Missing , or :"],
  ["an alias that contains itself", "openapi: 3.0.0\npaths: &p {a: *p}", "", "nested"],
  ["a wide schema in every operation", wide(), "/paths", "4 MiB"],
  ["a long chain of references", chain(), "/paths/~1a/get/requestBody/$ref", "more than 20 others"],
  ["more than 2 MiB", "a".repeat(2_097_153), "", "2 MiB"],
  [
    "another document's schema",
    paths({ responses: { 200: { $ref: "https://evil.example/x.json" } } }),
    "/paths/~1a/get/responses/200/$ref",
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
