import { expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { BuildRefused } from "#lib/connectors/custom/custom-definition";
import { BUILD_LIMITS, type Selection } from "#lib/contract/connector/connector";

const ORDERS = {
  openapi: "3.1.0",
  paths: {
    "/orders": { get: { operationId: "listOrders", tags: ["Orders"] }, post: { tags: ["Orders", "Changes"] } },
    "/orders/{id}": { parameters: [{ name: "id", in: "path" }], get: { operationId: "getOrder", tags: ["Orders"] } },
    "/ordersArchive": { get: { tags: ["Archive"] } },
    "/ping": { get: {} },
  },
};

const build = (document: unknown, select: Selection | null) =>
  buildDefinition({ name: "Orders", baseUrl: "https://api.example.com", auth: "none", document, select });
const namesOf = (select: Selection | null) => build(ORDERS, select).definition.operations.map(({ name }) => name);

function refusal(document: unknown, select: Selection | null): BuildRefused {
  try {
    build(document, select);
  } catch (error) {
    if (error instanceof BuildRefused) return error;
    throw error;
  }
  return expect.fail("it was built");
}

/** A document whose operations have the tags and paths of a large API. */
function large(tagOf: (index: number) => string[]) {
  const all = Array.from({ length: 450 }, (_, index) => {
    return [`/v1/${index < 300 ? "users" : "files"}/${index % 3}/${index}`, { get: { tags: tagOf(index) } }];
  });
  return { openapi: "3.1.0", paths: Object.fromEntries(all) };
}

test.each<[string, Selection, string[]]>([
  ["a tag", { tags: ["Changes"] }, ["post_orders"]],
  ["operations without a tag", { tags: ["untagged"] }, ["get_ping"]],
  ["a name", { operations: ["getOrder"] }, ["getOrder"]],
  ["a request", { operations: ["POST /orders"] }, ["post_orders"]],
  ["a path", { paths: ["/orders"] }, ["listOrders", "post_orders"]],
  ["everything below a path", { paths: ["/orders/*"] }, ["listOrders", "post_orders", "getOrder"]],
  [
    "any of them",
    { tags: ["Archive"], operations: ["getOrder"], paths: ["/ping"] },
    ["getOrder", "get_ordersArchive", "get_ping"],
  ],
])("a selection by %s builds exactly these operations", (_, select, names) => {
  expect(namesOf(select).sort()).toEqual([...names].sort());
});

test("an operation has the same name whichever others are chosen", () => {
  const get = { operationId: "same" };
  const document = { openapi: "3.1.0", paths: { "/a": { get }, "/b": { get } } };
  const { definition } = build(document, { paths: ["/b"] });
  expect(definition.operations.map(({ name }) => name)).toEqual(["same_2"]);
});

test.each<[Selection, string, string]>([
  [{ tags: ["Ordres"] }, "/select/tags/0", 'no tag "Ordres"; did you mean "Orders"?'],
  [{ tags: ["Orders", "Money"] }, "/select/tags/1", 'its tags are "Orders", "Changes", "Archive" and "untagged"'],
  [{ operations: ["getOrdr"] }, "/select/operations/0", 'did you mean "getOrder"?'],
  [{ paths: ["/order"] }, "/select/paths/0", 'no path "/order"; did you mean "/orders"'],
])("a name that the document does not have is refused and names near ones: %j", (select, pointer, words) => {
  const { finding, summary } = refusal(ORDERS, select);
  expect(finding).toMatchObject({ code: "unknown_selection", pointer, message: expect.stringContaining(words) });
  expect(summary?.operations).toBe(5);
});

test("a document above the limit names its tags with their counts and a selection that can be sent", () => {
  const document = large((index) => [index % 10 === 0 ? "Admin" : `Group ${index % 2}`]);
  const { finding, summary } = refusal(document, null);
  expect(finding).toMatchObject({ code: "too_many_operations", pointer: "/paths" });
  expect(finding.message).toContain("450 operations, but a connector can have only 200");
  expect(finding.message).toContain("Tags: Group 1 (225), Group 0 (180) and Admin (45).");
  expect(finding.message).toContain('such as {"tags":["Group 0"]}');
  expect(summary?.tags).toContainEqual({ tag: "Admin", operations: 45 });
  expect(build(document, { tags: ["Group 0"] }).definition.operations).toHaveLength(180);
});

test("a document whose operations all have the same tag offers paths that fit into a connector", () => {
  const { finding, summary } = refusal(
    large(() => []),
    null,
  );
  expect(finding.message).toContain('such as {"paths":["/v1/files/*"]}');
  expect(summary?.paths.map(({ path }) => path).sort()).toEqual([
    ...["/v1/files/*", "/v1/users/0/*", "/v1/users/1/*", "/v1/users/2/*"],
  ]);
  for (const { path, operations } of summary?.paths ?? []) {
    expect(operations).toBeLessThanOrEqual(BUILD_LIMITS.operations);
    expect(
      build(
        large(() => []),
        { paths: [path] },
      ).definition.operations,
    ).toHaveLength(operations);
  }
});

test("only what the chosen operations refer to is resolved", () => {
  const schema = { $ref: "#/components/schemas/missing" };
  const broken = { requestBody: { content: { "application/json": { schema } } } };
  const document = { openapi: "3.1.0", paths: { "/a": { post: broken }, "/b": { get: {} } } };
  expect(build(document, { paths: ["/b"] }).findings).toEqual([]);
  expect(build(document, { paths: ["/a"] }).findings).toHaveLength(1);
});
