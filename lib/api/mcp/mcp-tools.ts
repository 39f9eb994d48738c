import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { asTool } from "#lib/api/mcp/forms/tool-forms";
import type { McpExchange } from "#lib/api/mcp/mcp-exchange";
import { toolInputSchema, toolOutputSchema } from "#lib/api/mcp/mcp-schemas";
import { ANSWER_VIEWS, type AnswerView } from "#lib/api/operations/define/caller";
import { type Operation, TOOL_SETS, type ToolSet } from "#lib/api/operations/define/define-operation";
import { isAuthorized } from "#lib/api/operations/define/is-authorized";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** An operation as agents see it. */
export interface McpTool {
  operation: Operation;
  definition: Tool;
  /** Converts the tool's arguments to the operation's input if they are only a part of it. */
  toInput?(args: JsonObject): JsonObject;
}

/**
 * Returns the tools of the operations that are bound to MCP, in the order of the registry: a stable order keeps the
 * caches of clients and models warm.
 */
export function describeTools(operations: readonly Operation[]): McpTool[] {
  return operations.flatMap((declared) => {
    if (!declared.mcp) return [];
    const { operation, schemas } = asTool(declared);
    const { name, title, description } = operation;
    const { properties, ...inputSchema } = toolInputSchema(operation.input);
    const definition: Tool = {
      name,
      title,
      description,
      inputSchema: { ...inputSchema, properties: { ...properties, ...(schemas as typeof properties) } },
      outputSchema: toolOutputSchema(name),
      annotations: annotationsOf(operation),
    };
    return [{ operation, definition }];
  });
}

/**
 * Returns the tools that the key can call, of the list that the endpoint's URL requests: every tool costs tokens in every
 * conversation. A call of any other tool still answers, without the scope with FORBIDDEN.
 */
export function toolsFor(tools: readonly McpTool[], { caller, toolSet }: McpExchange): McpTool[] {
  return tools.filter(({ operation }) => {
    const isInSet = toolSet === "all" || (operation.mcp?.sets?.includes(toolSet) ?? false);
    return isInSet && isAuthorized(operation, caller);
  });
}

/**
 * Reads which list of tools the endpoint's URL requests (decisions, MCP): `?tools=run` to call actions, `?tools=build` to
 * build workflows; anything else requests all tools.
 */
export function readToolSet(query: URLSearchParams): ToolSet | "all" {
  const asked = query.get("tools");
  return TOOL_SETS.find((name) => name === asked) ?? "all";
}

/** Reads the form of answers that the endpoint's URL requests (decisions, MCP): `?answers=short`, or full ones. */
export function readAnswerView(query: URLSearchParams): AnswerView {
  const asked = query.get("answers");
  return ANSWER_VIEWS.find((view) => view === asked) ?? "full";
}

/** Names the tools that the list of this caller does not have. */
export function listHidden(tools: readonly McpTool[], exchange: McpExchange): ReadonlySet<string> {
  const listed = new Set(toolsFor(tools, exchange));
  return new Set(tools.filter((tool) => !listed.has(tool)).map(({ definition }) => definition.name));
}

export function annotationsOf({ mcp }: Operation): ToolAnnotations {
  const openWorldHint = mcp?.openWorld ?? false;
  // The other two hints mean nothing for a tool that only reads (MCP, ToolAnnotations).
  if (mcp?.readOnly) return { readOnlyHint: true, openWorldHint };
  return { readOnlyHint: false, destructiveHint: mcp?.destructive ?? false, idempotentHint: false, openWorldHint };
}
