import { expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { compareConnectors } from "#lib/connectors/custom/compare-connectors";
import type { JsonObject } from "#lib/contract/wire/json-schema";

interface Order {
  query?: JsonObject[];
  body?: JsonObject;
  output?: JsonObject;
}

function build({ query = [], body, output = {} }: Order) {
  const content = (schema: JsonObject) => ({ content: { "application/json": { schema } } });
  const post = {
    operationId: "createOrder",
    parameters: query,
    ...(body ? { requestBody: { required: true, ...content(body) } } : {}),
    responses: { 200: content(output) },
  };
  const document = { openapi: "3.1.0", paths: { "/orders": { post } } };
  return buildDefinition({ name: "Orders", baseUrl: "https://api.example.com", auth: "none", document }).definition;
}

const text = { type: "string" };
const param = (name: string, required = false, schema: JsonObject = text) => ({ name, in: "query", required, schema });
const object = (properties: JsonObject, required: string[] = []) => ({ type: "object", properties, required });
const breaking = (before: Order, after: Order) =>
  compareConnectors(build(before), build(after)).changed.flatMap((one) => one.breaking ?? []);

test.each<[string, Order, Order, string[]]>([
  [
    "a parameter that is gone",
    { query: [param("a"), param("b")] },
    { query: [param("a")] },
    ["no longer takes query.b"],
  ],
  ["a parameter that is now required", { query: [param("a")] }, { query: [param("a", true)] }, ["requires query.a"]],
  [
    "another type of a parameter",
    { query: [param("a")] },
    { query: [param("a", false, { type: "integer" })] },
    ["takes integer as query.a, was string"],
  ],
  [
    "a value that is no longer allowed",
    { query: [param("a", false, { enum: ["x", "y"] })] },
    { query: [param("a", false, { enum: ["x", "z"] })] },
    ['no longer takes "y" as query.a'],
  ],
  [
    "a field of the body that is now required",
    { body: object({ total: text }) },
    { body: object({ total: text, place: text }, ["place"]) },
    ["requires body.place"],
  ],
  [
    "a field that is no longer returned",
    { output: object({ id: text, lines: { type: "array", items: object({ sku: text, price: text }) } }) },
    { output: object({ id: text, lines: { type: "array", items: object({ sku: text }) } }) },
    ["no longer returns body.lines[].price"],
  ],
])("%s is a breaking change", (_, before, after, words) => {
  expect(breaking(before, after)).toEqual(words);
});

test.each<[string, Order, Order]>([
  ["a new optional parameter", { query: [param("a")] }, { query: [param("a"), param("b")] }],
  ["a parameter that is no longer required", { query: [param("a", true)] }, { query: [param("a")] }],
  [
    "a new value of a parameter",
    { query: [param("a", false, { enum: ["x"] })] },
    { query: [param("a", false, { enum: ["x", "y"] })] },
  ],
  ["a new optional field of the body", { body: object({ a: text }) }, { body: object({ a: text, b: text }) }],
  ["a new field of the output", { output: object({ a: text }) }, { output: object({ a: text, b: text }) }],
])("%s is a change that breaks nothing", (_, before, after) => {
  const { changed } = compareConnectors(build(before), build(after));
  expect(changed.map(({ operation, breaking: found }) => [operation, found])).toEqual([["createOrder", []]]);
});

test("another server of an operation, and another style of a parameter, are changes", () => {
  const listed = (more: object) => ({ ...param("ids", false, { type: "array", items: text }), ...more });
  const [before, after] = [build({ query: [listed({})] }), build({ query: [listed({ explode: false })] })];
  const moved = after.operations.map((operation) => ({ ...operation, server: "https://eu.example.com" }));
  expect(compareConnectors(before, { ...after, operations: moved }).changed).toEqual([
    {
      operation: "createOrder",
      changes: ["is sent to https://eu.example.com", "writes query.ids in another style"],
      breaking: [],
    },
  ]);
});
