import { LIMITS } from "#lib/contract/limits";
import { db } from "#lib/platform/db/pool";

export const KEYS_BATCH = 5_000;

/**
 * Deletes idempotency keys that no longer hold (decisions, Correlation and idempotency), a batch at a time.
 * @returns how many; KEYS_BATCH means there may be more
 */
export async function deleteOldIdempotencyKeys(): Promise<number> {
  const { rowCount } = await db().query({
    text: `delete from idempotency_keys where ctid in (
             select ctid from idempotency_keys where created_at < now() - make_interval(hours => $1)
             limit ${KEYS_BATCH} for update skip locked)`,
    values: [LIMITS.idempotencyKeyHours],
  });
  return rowCount ?? 0;
}
