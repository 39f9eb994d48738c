import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { toolInputSchema, toolOutputSchema } from "#lib/api/mcp/mcp-schemas";
import type { Operation } from "#lib/api/operations/define/define-operation";
import type { JsonObject } from "#lib/contract/json-schema";

/** An operation as agents see it. */
export interface McpTool {
  operation: Operation;
  definition: Tool;
  /** Converts the tool's arguments to the operation's input if they are only a part of it. */
  toInput?(args: JsonObject): JsonObject;
}

/**
 * Returns the tools of the operations that are bound to MCP, in the order of the registry: a stable order keeps the
 * caches of clients and models warm. All tools are always listed; a call without the scope answers FORBIDDEN.
 */
export function describeTools(operations: readonly Operation[]): McpTool[] {
  return operations.flatMap((operation) => {
    if (!operation.mcp) return [];
    const { name, title, description } = operation;
    const definition: Tool = {
      name,
      title,
      description,
      inputSchema: toolInputSchema(operation.input),
      outputSchema: toolOutputSchema(name),
      annotations: annotationsOf(operation, title),
    };
    return [{ operation, definition }];
  });
}

export function annotationsOf({ mcp }: Operation, title: string): ToolAnnotations {
  return {
    title,
    readOnlyHint: mcp?.readOnly ?? false,
    destructiveHint: mcp?.destructive ?? false,
    idempotentHint: mcp?.readOnly ?? false,
    openWorldHint: mcp?.openWorld ?? false,
  };
}
