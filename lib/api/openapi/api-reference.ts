import { describeTools } from "#lib/api/mcp/mcp-tools";
import { describeApi } from "#lib/api/openapi/openapi-document";
import type { Operation } from "#lib/api/operations/define/define-operation";
import { OPERATIONS } from "#lib/api/operations/registry";
import type { Scope } from "#lib/contract/key/scopes";
import type { ApiReference, ReferenceTool } from "#lib/contract/openapi/api-reference";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { env } from "#lib/platform/config/env";

/** Returns the data of the reference page, derived from the registry. The address is that of the running instance. */
export function readApiReference(): ApiReference {
  const baseUrl = env().PUBLIC_BASE_URL;
  return { baseUrl, document: describeApi(baseUrl), tools: describeTools(OPERATIONS).map(presentTool) };
}

function presentTool({ operation, definition }: ReturnType<typeof describeTools>[number]): ReferenceTool {
  return {
    name: definition.name,
    description: definition.description ?? "",
    scopes: scopesOf(operation),
    isReadOnly: operation.mcp?.readOnly ?? false,
    properties: (definition.inputSchema.properties ?? {}) as Record<string, JsonObject>,
    required: definition.inputSchema.required ?? [],
  };
}

function scopesOf({ scope }: Operation): Scope[] {
  if (scope === "web") return [];
  return typeof scope === "string" ? [scope] : [...scope];
}
