import type { Tool } from "@modelcontextprotocol/server";
import type { Operation } from "#lib/operations/define-operation";
import { toolInputSchema, toolOutputSchema } from "#lib/surfaces/mcp-schemas";

/** An operation as agents see it. */
export interface McpTool {
  operation: Operation;
  definition: Tool;
}

/**
 * The tools of the operations that are bound to MCP, in the order of the registry: a list that keeps its order keeps the
 * caches of clients and models warm. All are always listed; a missing scope answers FORBIDDEN on the call.
 */
export function describeTools(operations: readonly Operation[]): McpTool[] {
  return operations.flatMap((operation) => {
    if (!operation.mcp) return [];
    const { name, title, description, mcp } = operation;
    const annotations = {
      title,
      readOnlyHint: mcp.readOnly,
      destructiveHint: mcp.destructive ?? false,
      idempotentHint: mcp.readOnly,
      openWorldHint: mcp.openWorld ?? false,
    };
    const definition: Tool = {
      name,
      title,
      description,
      inputSchema: toolInputSchema(operation.input),
      outputSchema: toolOutputSchema(name),
      annotations,
    };
    return [{ operation, definition }];
  });
}

/** How to work with the tools, for the model: sent once, by `initialize` or `server/discover`. */
export function describeServer(tools: readonly McpTool[]): string {
  const canWait = tools.some((tool) => tool.definition.name === "wait_for_run");
  const follow = canWait ? "wait_for_run (or get_run_status)" : "get_run_status";
  return [
    "Published workflows are called actions. Find one with list_actions, read its inputSchema with get_action,",
    `start it with run_action, then call ${follow} with the run_id until the status is succeeded, failed, cancelled,`,
    "timed_out or waiting_for_approval. run_action never waits for the result.",
    "A run that is waiting_for_approval needs a decision first. Set dry_run to check an input without running anything;",
    "send an idempotency_key when you may repeat a call. Errors are {error, code, details?}.",
  ].join(" ");
}
