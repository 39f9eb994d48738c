import { expect, test } from "vitest";
import { locatePointers } from "#lib/connectors/custom/locate/locate-pointers";

const YAML = `openapi: 3.0.0
# a comment: with a colon
info:
  title: Shop
  description: |
    paths:
      /orders:
        get: not this one
paths:
  /orders/{id}:
    get:
      parameters:
      - name: id
        in: path
      -   name: expand
          in: query
      responses:
        '200': { description: ok }
  "/quoted~path":
    post: {}
components:
  schemas:
    Order: { properties: { total: { type: number } } }
`;

const JSON_TEXT = `{
  "openapi": "3.0.0", "note": "a \\" brace { [ \\\\",
  "paths": {
    "/orders/{id}": {"get": {"parameters": [
      {"name": "id"}, {"name": "expand", "in": "query"}]}}
  }
}`;

test.each([
  ["/paths", 9, 1],
  ["/paths/~1orders~1{id}/get", 11, 5],
  ["/paths/~1orders~1{id}/get/parameters/0/in", 14, 9],
  ["/paths/~1orders~1{id}/get/parameters/1", 15, 7],
  ["/paths/~1orders~1{id}/get/parameters/1/in", 16, 11],
  ["/paths/~1orders~1{id}/get/responses/200", 18, 9],
  ["/paths/~1quoted~0path/post", 20, 5],
  ["/components/schemas/Order/properties/total", 23, 5],
  ["/paths/~1orders~1{id}/get/unknown/part", 11, 5],
])("in YAML, %s is in line %i, column %i", (pointer, line, column) => {
  expect(locatePointers(YAML, [pointer])).toEqual([{ line, column }]);
});

test.each([
  ["/paths", 3, 3],
  ["/paths/~1orders~1{id}/get/parameters/1", 5, 23],
  ["/paths/~1orders~1{id}/get/parameters/1/in", 5, 42],
  ["/paths/~1orders~1{id}/get/parameters/7", 4, 30],
])("in JSON, %s is in line %i, column %i", (pointer, line, column) => {
  expect(locatePointers(JSON_TEXT, [pointer])).toEqual([{ line, column }]);
});

test("several pointers are found in one pass, and one that leads nowhere has no place", () => {
  expect(locatePointers(YAML, ["/paths", "", "/nothing", "/info/title"])).toEqual([
    ...[{ line: 9, column: 1 }, null, null, { line: 4, column: 3 }],
  ]);
});

test.each(["{", '{"a', '{"a": [', '{"a": "\\', "[[[[", "- - -\n -", '"a', "a:\n  b: |\n"])(
  "a text that is cut off ends the search: %j",
  (text) => {
    expect(() => locatePointers(text, ["/a/0/b", "/0/0/0"])).not.toThrow();
  },
);
