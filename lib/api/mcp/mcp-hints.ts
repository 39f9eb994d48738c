import { toApiError } from "#lib/api/admission/error-response";
import { findAction, listActiveActions } from "#lib/api/mcp/mcp-actions";
import type { McpExchange } from "#lib/api/mcp/mcp-exchange";
import { waitHint } from "#lib/api/mcp/mcp-results";
import type { ApiError } from "#lib/contract/error/api-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { listSuggestions } from "#lib/support/list-suggestions";

/** Returns text that helps a model to do better than repeat the call, or undefined if the error is sufficient. */
export async function findHint(error: ApiError, input: JsonObject, exchange: McpExchange): Promise<string | undefined> {
  if (error.code === "INPUT_VALIDATION_FAILED") return findExpectedSchema(input, exchange);
  if (error.code === "ACTION_NOT_FOUND") return findNearestSlugs(input, exchange);
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

/** Reads the list as the caller, so a limited key learns nothing about the actions that it may not see. */
async function findNearestSlugs({ slug }: JsonObject, exchange: McpExchange): Promise<string | undefined> {
  try {
    const { actions } = await listActiveActions(exchange, undefined);
    const { words } = listSuggestions(
      String(slug),
      actions.map((action) => action.slug),
      "the actions are",
    );
    return words === "" ? undefined : `There is no action with this slug${words}`;
  } catch (thrown) {
    toApiError(thrown, exchange.context.requestId);
    return undefined;
  }
}
