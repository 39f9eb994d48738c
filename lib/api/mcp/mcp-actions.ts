import type { McpExchange } from "#lib/api/mcp/mcp-exchange";
import { getActionOperation, listActionsOperation } from "#lib/api/operations/actions";
import { invoke } from "#lib/api/operations/define/define-operation";
import { isAuthorized } from "#lib/api/operations/define/is-authorized";
import type { ActionDetailObject, ActionObject } from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";

/**
 * Returns a page of the active actions that the key may see, for lists that clients request on their own. Clients do so
 * when they connect, whatever the key is for, so without the scope the page is empty, although a tool would answer
 * FORBIDDEN.
 * @throws ApiError BAD_REQUEST for an invalid cursor
 */
export async function listActiveActions(
  exchange: McpExchange,
  cursor: string | undefined,
  filter: { q?: string } = {},
): Promise<{ actions: ActionObject[]; nextCursor: { nextCursor?: string } }> {
  if (!isAuthorized(listActionsOperation, exchange.caller)) return { actions: [], nextCursor: {} };
  const asked = { ...filter, limit: LIMITS.pageSizeMax, ...(cursor === undefined ? {} : { cursor }) };
  const page = await invoke(listActionsOperation, exchange.caller, asked, exchange.context);
  return { actions: page.data, nextCursor: page.next_cursor === null ? {} : { nextCursor: page.next_cursor } };
}

/**
 * @returns null if the action does not exist or the key may not see it.
 * @throws ApiError FORBIDDEN
 */
export async function findAction({ caller, context }: McpExchange, slug: string): Promise<ActionDetailObject | null> {
  try {
    return await invoke(getActionOperation, caller, { slug }, context);
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 404) return null;
    throw thrown;
  }
}
