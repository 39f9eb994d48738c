import { toApiError } from "#lib/api/admission/error-response";
import { findAction } from "#lib/api/mcp/mcp-actions";
import type { McpExchange } from "#lib/api/mcp/mcp-exchange";
import { waitHint } from "#lib/api/mcp/mcp-results";
import type { ApiError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";

/** Returns text that helps a model to do better than repeat the call, or undefined if the error is sufficient. */
export async function findHint(error: ApiError, input: JsonObject, exchange: McpExchange): Promise<string | undefined> {
  if (error.code === "INPUT_VALIDATION_FAILED") return findExpectedSchema(input, exchange);
  if (error.code === "INTERNAL_ERROR") return `Request id: ${exchange.context.requestId}`;
  return waitHint(error);
}

/** Reads the schema as the caller, so a key that may not read actions learns only what `details` contains. */
async function findExpectedSchema({ slug }: JsonObject, exchange: McpExchange): Promise<string | undefined> {
  try {
    const action = await findAction(exchange, String(slug));
    return action ? `The input must match this schema: ${JSON.stringify(action.inputSchema)}` : undefined;
  } catch (thrown) {
    // The answer is complete without the hint. `toApiError` logs a server error.
    toApiError(thrown, exchange.context.requestId);
    return undefined;
  }
}
