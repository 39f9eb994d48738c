import { expect, test } from "vitest";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { checkCallbackSchemas } from "#lib/domain/workflows/checks/check-callback-schemas";

const problemsOf = (...schemas: object[]) =>
  checkCallbackSchemas(
    definition(
      schemas.map((schema, index) =>
        completeNode(`wait${index}`, "wait_for_callback", {
          schema: schema as Record<string, unknown>,
          expires_seconds: 60,
        }),
      ),
      [],
    ),
  ).map(({ code, node_id, field, severity }) => [severity, code, node_id, field]);

test("a schema that can be used is no problem, with patterns and references inside it", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { id: { type: "string", pattern: "^[a-z]+$" }, next: { $ref: "#" } },
  };
  expect(problemsOf(schema, {})).toEqual([]);
});

test.each([
  { type: "text" },
  { properties: [] },
  { $ref: "https://example.com/other.json" },
  { type: "string", pattern: "(" },
  { type: "string", pattern: "(?<=a)b" },
])("%j is a mistake in its field", (schema) => {
  expect(problemsOf({}, schema)).toEqual([["error", "INVALID_SCHEMA", "wait1", "schema"]]);
});
