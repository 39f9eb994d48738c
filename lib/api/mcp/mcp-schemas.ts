import type { Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { RUN_STATUSES } from "#lib/contract/run";

type ToolInputSchema = Tool["inputSchema"];
type ToolOutputSchema = NonNullable<Tool["outputSchema"]>;

/**
 * The JSON Schema of a tool's arguments, made from the operation's zod input.
 *
 * An object at the top with nothing but properties: one tool with a top-level anyOf makes some clients drop every tool.
 * What zod adds for machines alone (the dialect, the patterns behind a format, the bounds of a safe integer) is left
 * out, because every agent pays for it in every conversation; so is null, which some clients cannot read in `type`: who
 * has no value leaves the field out.
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
  // Of a record: its names are any text and its values anything.
  delete schema.propertyNames;
  if (isEmpty(schema.additionalProperties)) schema.additionalProperties = true;
  if (schema.default === null) delete schema.default;
  const branches = (schema.anyOf ?? schema.oneOf)?.filter((branch) => branch.type !== "null");
  // Not every client knows the word oneOf; where the branches exclude each other it says the same.
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

/** Of every tool that answers a run. */
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

const RUN_TOOLS = new Set(["run_action", "get_run_status", "wait_for_run", "approve_run", "cancel_run", "replay_run"]);

/**
 * What a tool's result certainly holds, and no more: clients refuse a result that breaks its declared schema, and the
 * full shapes would outweigh the rest of the list.
 */
export function toolOutputSchema(toolName: string): ToolOutputSchema {
  if (RUN_TOOLS.has(toolName)) return RUN_OUTPUT;
  return toolName.startsWith("list_") ? PAGE : ANY_OBJECT;
}
