import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { toolInputSchema, toolOutputSchema } from "#lib/api/mcp/mcp-schemas";
import type { Operation } from "#lib/api/operations/define/define-operation";
import type { JsonObject } from "#lib/contract/json-schema";

/** An operation as agents see it. */
export interface McpTool {
  operation: Operation;
  definition: Tool;
  /** What the operation takes, where the tool's arguments are only a part of it. */
  toInput?(args: JsonObject): JsonObject;
}

/**
 * The tools of the operations that are bound to MCP, in the order of the registry: a list that keeps its order keeps the
 * caches of clients and models warm. All are always listed; a missing scope answers FORBIDDEN on the call.
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
