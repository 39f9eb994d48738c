import { ApiError } from "#lib/contract/api-error";
import { array, integer, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

/** As long as create_run waits for one key. */
const WAIT_MS = 5_000;

const lockKeys = defineStatement({
  name: "lock_idempotency_keys",
  params: { workspaceId: uuid, actionSlug: text, keys: array(text), waitMs: integer },
  row: { key: text },
  sql: "select k.key from lock_idempotency_keys($1, $2, $3, $4) as k (key)",
});

/**
 * Locks the idempotency keys of several calls of an action until the transaction ends, all of them before the first run
 * is created (`prisma/functions/lock_idempotency_keys.sql` says why).
 * @returns the keys that other calls still use after a few seconds
 */
export async function lockIdempotencyKeys(
  tx: Db,
  { workspaceId, actionSlug, keys }: { workspaceId: string; actionSlug: string; keys: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const held = await lockKeys.all(tx, { workspaceId, actionSlug, keys, waitMs: WAIT_MS });
  return new Set(held.map(({ key }) => key));
}

/** The refusal of a call while an equal call with its idempotency key is being answered. */
export function keyInProgress(cause?: unknown): ApiError {
  const message = "A call with this idempotency key is still being answered.";
  return new ApiError("IDEMPOTENCY_IN_PROGRESS", message, { retryAfterSeconds: 1, cause });
}
