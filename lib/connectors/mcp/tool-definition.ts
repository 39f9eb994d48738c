import { z } from "zod";
import { readParamHeaders } from "#lib/connectors/mcp/param-headers";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { jsonObjectSchema } from "#lib/contract/wire/wire-values";
import { findHostile } from "#lib/core/input/assert-storable";

/** A tool of an MCP server as it is stored, and as a published version pins it. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
  /** The schema of its structured content; null if it declares none. */
  outputSchema: JsonObject | null;
  /** True if the server says that a second call changes nothing: the tool only reads, or is idempotent. */
  isRepeatable: boolean;
  /** True if it can only be called as a task in the background. */
  isTask: boolean;
}

/** A tool that is not offered, and why. */
export interface LeftOutTool {
  name: string;
  reason: string;
}

const toolSchema = z.object({
  name: z
    .string()
    .min(1)
    .max(LIMITS.mcpNameCharacters)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u)
    .refine((name) => name === name.trim()),
  title: z.string().optional().catch(undefined),
  description: z.string().catch(""),
  inputSchema: jsonObjectSchema.catch({ type: "object" }),
  outputSchema: jsonObjectSchema.nullish().catch(null),
  annotations: z
    .object({
      title: z.string().optional().catch(undefined),
      readOnlyHint: z.boolean().catch(false),
      idempotentHint: z.boolean().catch(false),
    })
    .partial()
    .catch({})
    .default({}),
  execution: z.object({ taskSupport: z.string().optional() }).catch({}).default({}),
});

/** Reads one tool of a server's list. The server is not trusted: what is too large or hostile is left out. */
export function readTool(given: unknown): ToolDefinition | LeftOutTool {
  const parsed = toolSchema.safeParse(given);
  if (!parsed.success) return { name: nameOf(given), reason: "its name or schema is not valid" };
  const { name, title, annotations, outputSchema = null, execution, ...tool } = parsed.data;
  const reason = faultOf(tool.inputSchema) ?? (outputSchema === null ? null : faultOf(outputSchema));
  if (reason !== null) return { name, reason };
  return {
    name,
    title: cut(title || annotations.title || name, LIMITS.mcpNameCharacters),
    description: cut(tool.description, LIMITS.mcpDescriptionCharacters),
    inputSchema: tool.inputSchema,
    outputSchema,
    isRepeatable: annotations.readOnlyHint === true || annotations.idempotentHint === true,
    isTask: execution.taskSupport === "required",
  };
}

function faultOf(schema: JsonObject): string | null {
  const hostile = findHostile(schema);
  if (hostile) return `its schema ${hostile.message}`;
  if (JSON.stringify(schema).length > LIMITS.mcpSchemaBytes) {
    return `its schema is larger than ${LIMITS.mcpSchemaBytes / 1024} KiB`;
  }
  return readParamHeaders(schema) === null ? "its schema asks for a header that cannot be sent" : null;
}

function nameOf(given: unknown): string {
  const { data } = z.object({ name: z.string() }).safeParse(given);
  return cut(data?.name ?? "a tool without a name", LIMITS.mcpNameCharacters);
}

/** Removes what PostgreSQL cannot store, and the rest of a long text. */
function cut(text: string, characters: number): string {
  const clean = text.replaceAll("\u0000", "").toWellFormed();
  return clean.length > characters ? `${clean.slice(0, characters - 1).toWellFormed()}…` : clean;
}
