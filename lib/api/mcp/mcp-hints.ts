import { toApiError } from "#lib/api/admission/error-response";
import { findAction } from "#lib/api/mcp/mcp-actions";
import type { McpExchange } from "#lib/api/mcp/mcp-exchange";
import { waitHint } from "#lib/api/mcp/mcp-results";
import type { ApiError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";

/** What would help a model to do better than repeat the call; undefined where the error says it all. */
export async function findHint(error: ApiError, input: JsonObject, exchange: McpExchange): Promise<string | undefined> {
  if (error.code === "INPUT_VALIDATION_FAILED") return findExpectedSchema(input, exchange);
  if (error.code === "INTERNAL_ERROR") return `Request id: ${exchange.context.requestId}`;
  return waitHint(error);
}

/** Asked for as the caller: a key that may not read actions learns no more here than `details` says. */
async function findExpectedSchema({ slug }: JsonObject, exchange: McpExchange): Promise<string | undefined> {
  try {
    const action = await findAction(exchange, String(slug));
    return action ? `The input must match this schema: ${JSON.stringify(action.inputSchema)}` : undefined;
  } catch (thrown) {
    // The answer stands without it; a failure of ours is logged by this.
    toApiError(thrown, exchange.context.requestId);
    return undefined;
  }
}
