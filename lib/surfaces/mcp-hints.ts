import type { ApiError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";
import { invoke } from "#lib/operations/define-operation";
import { toApiError } from "#lib/surfaces/error-response";
import { waitHint } from "#lib/surfaces/mcp-results";
import type { McpExchange } from "#lib/surfaces/mcp-server";
import type { McpTool } from "#lib/surfaces/mcp-tools";

/** What would help a model to do better than repeat the call; undefined where the error says it all. */
export async function findHint(
  error: ApiError,
  args: JsonObject,
  exchange: McpExchange,
  tools: readonly McpTool[],
): Promise<string | undefined> {
  if (error.code === "INPUT_VALIDATION_FAILED") return findExpectedSchema(args, exchange, tools);
  if (error.code === "INTERNAL_ERROR") return `Request id: ${exchange.context.requestId}`;
  return waitHint(error);
}

/** Asked for as the caller: a key that may not read actions learns no more here than `details` says. */
async function findExpectedSchema(
  { slug }: JsonObject,
  { caller, context }: McpExchange,
  tools: readonly McpTool[],
): Promise<string | undefined> {
  const getAction = tools.find((tool) => tool.definition.name === "get_action")?.operation;
  if (!getAction) return undefined;
  try {
    const action = (await invoke(getAction, caller, { slug }, context)) as { inputSchema: unknown };
    return `The input must match this schema: ${JSON.stringify(action.inputSchema)}`;
  } catch (thrown) {
    // The answer stands without it; a failure of ours is logged by this.
    toApiError(thrown, context.requestId);
    return undefined;
  }
}
