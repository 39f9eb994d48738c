import type { Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { RUN_STATUSES } from "#lib/contract/run";

type ToolInputSchema = Tool["inputSchema"];
type ToolOutputSchema = NonNullable<Tool["outputSchema"]>;

/**
 * Returns the JSON Schema of a tool's arguments, derived from the operation's zod input.
 *
 * The top level is an object with only properties: one tool with a top-level anyOf makes some clients drop every tool.
 * What zod adds only for machines (the dialect, the patterns behind a format, the bounds of a safe integer) is left
 * out, because every agent pays for it in every conversation. null is left out too, because some clients cannot read it
 * in `type`; a caller without a value leaves the field out.
 */
export function toolInputSchema(input: z.ZodObject): ToolInputSchema {
  const { properties, required } = z.toJSONSchema(input, {
    io: "input",
    override: ({ jsonSchema }) => trim(jsonSchema),
  });
  return {
    type: "object",
    properties: properties as ToolInputSchema["properties"],
    ...(required?.length ? { required } : {}),
  };
}

function trim(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // A record accepts any name and any value.
  delete schema.propertyNames;
  if (isEmpty(schema.additionalProperties)) schema.additionalProperties = true;
  if (schema.default === null) delete schema.default;
  const branches = (schema.anyOf ?? schema.oneOf)?.filter((branch) => branch.type !== "null");
  // Some clients do not support oneOf. If the branches exclude each other, anyOf means the same.
  if (schema.oneOf) {
    schema.anyOf = schema.oneOf;
    delete schema.oneOf;
  }
  if (branches) schema.anyOf = branches;
  if (branches?.length === 1) Object.assign(schema, branches[0], { anyOf: undefined });
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

const ANY_OBJECT: ToolOutputSchema = { type: "object" };

/** The output schema of every tool that returns a run. */
export const RUN_OUTPUT = {
  type: "object",
  properties: { run_id: { type: "string" }, status: { type: "string", enum: [...RUN_STATUSES] } },
  required: ["run_id", "status"],
} satisfies ToolOutputSchema;

const PAGE: ToolOutputSchema = {
  type: "object",
  properties: { data: { type: "array", items: { type: "object" } }, has_more: { type: "boolean" } },
  required: ["data", "has_more"],
};

const BATCH: ToolOutputSchema = {
  type: "object",
  properties: { data: { type: "array", items: { type: "object" } }, refused: { type: "integer" } },
  required: ["data", "refused"],
};

const RUN_TOOLS = new Set(["run_action", "get_run_status", "wait_for_run", "approve_run", "cancel_run", "replay_run"]);

/**
 * Returns the schema of what a tool's result always contains, and no more: clients refuse a result that breaks its
 * declared schema, and the full shapes would be longer than the rest of the list.
 */
export function toolOutputSchema(toolName: string): ToolOutputSchema {
  if (RUN_TOOLS.has(toolName)) return RUN_OUTPUT;
  if (toolName === "run_actions") return BATCH;
  return toolName.startsWith("list_") ? PAGE : ANY_OBJECT;
}
