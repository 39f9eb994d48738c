import { expect, test } from "vitest";
import { z } from "zod";
import { OPERATIONS } from "#lib/operations/registry";
import { toolInputSchema } from "#lib/surfaces/mcp-schemas";
import { describeTools } from "#lib/surfaces/mcp-tools";

const tools = describeTools(OPERATIONS).map((tool) => tool.definition);

/** Every schema inside a schema, with itself. */
function* walk(schema: unknown): Generator<Record<string, unknown>> {
  if (typeof schema !== "object" || schema === null) return;
  if (!Array.isArray(schema)) yield schema as Record<string, unknown>;
  for (const value of Object.values(schema)) yield* walk(value);
}

test.each(tools.map((tool) => [tool.name, tool] as const))(
  "clients of every kind can read the tool %s",
  (name, tool) => {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(tool.title).toBeTruthy();
    expect(tool.description).toBeTruthy();
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      expect(schema?.type).toBe("object");
      expect(Object.keys(schema ?? {}).filter((key) => ["anyOf", "oneOf", "allOf", "$ref"].includes(key))).toEqual([]);
      for (const part of walk(schema)) if (Array.isArray(part.type)) expect(part.type).not.toContain("null");
    }
    expect(tool.inputSchema.properties).toBeTypeOf("object");
  },
);

test("no two tools share a name", () => {
  expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length);
});

test("only a tool that reads says so, and only one that changes things may be destructive", () => {
  for (const { annotations } of tools) {
    expect(annotations?.readOnlyHint && annotations.destructiveHint).toBe(false);
  }
});

test("a schema says what a caller may send and nothing for machines alone", () => {
  const input = z.object({
    run_id: z.uuid(),
    count: z.int().min(1).default(5),
    note: z.string().max(9).nullable().default(null),
    input: z.record(z.string(), z.unknown()).optional(),
    either: z.union([z.string().max(1), z.int(), z.null()]).optional(),
  });
  expect(toolInputSchema(input)).toEqual({
    type: "object",
    properties: {
      run_id: { type: "string", format: "uuid" },
      count: { type: "integer", minimum: 1, default: 5 },
      note: { type: "string", maxLength: 9 },
      input: { type: "object", additionalProperties: true },
      either: { anyOf: [{ type: "string", maxLength: 1 }, { type: "integer" }] },
    },
    required: ["run_id"],
  });
});
