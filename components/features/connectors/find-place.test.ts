import { expect, test } from "vitest";
import { findPlace } from "@/components/features/connectors/find-place";

const YAML = "openapi: 3.1.0\npaths:\n  /orders/{id}:\n    get:\n      responses:\n        200: { a: [1, 2] }\n";
const JSON_TEXT = '{"paths": {"/orders/{id}": {"get": {"parameters": [{"name": "x"}]}}}}';

test.each([
  [YAML, "/paths/~1orders~1{id}/get/responses/200", "200"],
  [YAML, "/paths/~1orders~1{id}/get/responses/200/a/1", "2"],
  [YAML, "/paths/~1orders~1{id}/get/unknown/0", "get"],
  [YAML, "/paths/~1orders~1{id}/get/responses/200/a/2", "a"],
  ["in:\n  - name: a\n    of: [1, {b: 2}]\n  - name: c\n", "/in/0", "name: a\n    of: [1, {b: 2}]"],
  [JSON_TEXT, "/paths/~1orders~1{id}/get/parameters/0", '{"name": "x"}'],
  ["{first: &a [{b: 1}], c: *a}", "/c/0", "c"],
  [JSON_TEXT, "/paths/~1orders~1{id}/get/parameters/0/name", '"name"'],
])("a pointer resolves to its place in the text, or to the deepest part that exists", async (text, pointer, found) => {
  const place = await findPlace(text, pointer);
  expect(text.slice(place?.from, place?.to)).toBe(found);
});

test("a text that cannot be parsed has no places", async () => {
  expect(await findPlace("paths: [", "/paths")).toBeNull();
});
