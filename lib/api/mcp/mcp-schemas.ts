import type { Tool } from "@modelcontextprotocol/server";
import { z } from "zod";

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
  const listed = Object.entries(properties ?? {}).filter(([, property]) => !isUnlisted(property));
  for (const [, property] of listed) splitTypes(property);
  return {
    type: "object",
    properties: Object.fromEntries(listed) as ToolInputSchema["properties"],
    ...(required?.length ? { required } : {}),
  };
}

/** Keeps an argument out of the list of tools. Calls may still send it. */
export function unlisted<Schema extends z.ZodType>(argument: Schema): Schema {
  return argument.meta({ isUnlisted: true });
}

function isUnlisted(property: z.core.JSONSchema._JSONSchema): boolean {
  return typeof property === "object" && property.isUnlisted === true;
}

function trim(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  // No other format has one meaning for all clients: zod has "starts_with", and some clients refuse "uuid".
  if (schema.format !== "date-time") delete schema.format;
  // Some model providers refuse them in strict mode. The operation checks them and says what is wrong.
  delete schema.minLength;
  delete schema.maxLength;
  if (typeof schema.exclusiveMinimum === "number" && schema.type === "integer") {
    schema.minimum = schema.exclusiveMinimum + 1;
    delete schema.exclusiveMinimum;
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.const !== undefined) {
    schema.enum = [schema.const as string];
    delete schema.const;
  }
  if (schema.type === "array" && schema.items === undefined) schema.items = {};
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
  if (branches?.length === 1) {
    delete schema.anyOf;
    Object.assign(schema, branches[0]);
  }
}

/** Some clients do not support a list of types, which zod writes for a union of plain types. */
function splitTypes(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const inner of Object.values(schema)) splitTypes(inner);
  if (!("type" in schema) || !Array.isArray(schema.type)) return;
  const { type: types, ...rest } = schema;
  Reflect.deleteProperty(schema, "type");
  Object.assign(schema, rest, { anyOf: types.map((type: string) => ({ type })) });
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

const ANY_OBJECT: ToolOutputSchema = { type: "object" };

/** The output schema of every tool that returns a run. */
export const RUN_OUTPUT = {
  type: "object",
  properties: { run_id: { type: "string" }, status: { type: "string" } },
  required: ["run_id", "status"],
} satisfies ToolOutputSchema;

const PAGE: ToolOutputSchema = {
  type: "object",
  properties: { data: { type: "array", items: { type: "object" } } },
  required: ["data"],
};

const BATCH: ToolOutputSchema = {
  type: "object",
  properties: { data: { type: "array", items: { type: "object" } }, refused: { type: "integer" } },
  required: ["data", "refused"],
};

const RUN_TOOLS = new Set([
  ...["run_action", "get_run_status", "wait_for_run", "approve_run", "cancel_run", "replay_run", "test_workflow"],
]);

/**
 * Returns the schema of what a tool's result always contains, and no more: clients refuse a result that breaks its
 * declared schema, and the full shapes would be longer than the rest of the list.
 */
export function toolOutputSchema(toolName: string): ToolOutputSchema {
  if (RUN_TOOLS.has(toolName)) return RUN_OUTPUT;
  if (toolName === "run_actions") return BATCH;
  return toolName.startsWith("list_") ? PAGE : ANY_OBJECT;
}
