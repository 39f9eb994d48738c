import { expect, test } from "vitest";
import { z } from "zod";
import { writeInstructions } from "#lib/api/mcp/mcp-instructions";
import { toolInputSchema } from "#lib/api/mcp/mcp-schemas";
import { describeTools } from "#lib/api/mcp/mcp-tools";
import { definitionGuide } from "#lib/api/operations/agents/definition-guide";
import { OPERATIONS } from "#lib/api/operations/registry";
import { EXAMPLE_DEFINITION } from "#lib/core/steps/describe-nodes";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";

/** contract, Endpoints: the tools of the table that must be present. */
const CONTRACT_TOOLS = [
  ...["list_actions", "get_action", "run_action", "get_run_status", "list_runs", "approve_run"],
  ...["list_connectors", "get_connector_operations", "get_operation_schema"],
  ...["list_workflows", "get_workflow", "open_workflow"],
  ...["create_workflow", "update_workflow", "delete_workflow", "deploy_workflow"],
];

const INSTRUCTIONS = writeInstructions("short", new Set());
const tools = describeTools(OPERATIONS).map((tool) => tool.definition);

/** Yields a schema and every schema inside it. */
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
      for (const part of walk(schema)) {
        if (Array.isArray(part.type)) expect(part.type).not.toContain("null");
        expect(Object.keys(part)).not.toContain("oneOf");
      }
    }
    expect(tool.inputSchema.properties).toBeTypeOf("object");
  },
);

test("the guide to a definition is the answer of a tool, which no client cuts, and every place that needs it names the tool", () => {
  const guide = definitionGuide();
  for (const type of STEP_TYPES) expect(guide).toContain(`- ${type} `);
  expect(guide).toContain(JSON.stringify(EXAMPLE_DEFINITION.edges));
  const create = tools.find(({ name }) => name === "create_workflow");
  expect(INSTRUCTIONS).toContain("get_step_kinds");
  expect(create?.description).toContain("get_step_kinds");
  expect(JSON.stringify(create?.inputSchema.properties?.definition)).toContain("get_step_kinds");
});

test("the list contains every tool of the contract and every tool that the instructions name", () => {
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(CONTRACT_TOOLS));
  const words =
    INSTRUCTIONS.match(
      /\b(?!run_id|wait_seconds)(?:get|list|run|wait|approve|create|update|deploy|replay|open|test)_[a-z_]+/g,
    ) ?? [];
  for (const word of words) {
    expect(names).toContain(word);
  }
});

test("no two tools share a name", () => {
  expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length);
});

test("a read-only tool is never marked destructive", () => {
  for (const { annotations } of tools) {
    expect(annotations?.readOnlyHint && annotations.destructiveHint).not.toBe(true);
  }
});

test("a schema contains what a caller can send and nothing that only machines need", () => {
  const input = z.object({
    run_id: z.uuid(),
    count: z.int().min(1).default(5),
    place: z.int().positive(),
    note: z.string().max(9).nullable().default(null),
    op: z.literal("add"),
    list: z.array(z.unknown()),
    after: z.iso.datetime(),
    input: z.record(z.string(), z.unknown()).optional(),
    either: z.union([z.string().max(1), z.int(), z.null()]).optional(),
  });
  expect(toolInputSchema(input)).toEqual({
    type: "object",
    properties: {
      run_id: { type: "string" },
      count: { type: "integer", minimum: 1, default: 5 },
      place: { type: "integer", minimum: 1 },
      note: { type: "string" },
      op: { type: "string", enum: ["add"] },
      list: { type: "array", items: {} },
      after: { type: "string", format: "date-time" },
      input: { type: "object", additionalProperties: true },
      either: { anyOf: [{ type: "string" }, { type: "integer" }] },
    },
    required: ["run_id", "place", "op", "list", "after"],
  });
});
