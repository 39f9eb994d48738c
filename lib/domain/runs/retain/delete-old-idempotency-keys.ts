import { LIMITS } from "#lib/contract/limits";
import { integer } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

export const KEYS_BATCH = 5_000;

const deleteKeys = defineStatement({
  name: "delete_old_idempotency_keys",
  params: { hours: integer },
  sql: `delete from idempotency_keys where ctid in (
          select ctid from idempotency_keys where created_at < now() - make_interval(hours => $1)
          limit ${KEYS_BATCH} for update skip locked)`,
  isPrepared: false,
});

/**
 * Deletes one batch of idempotency keys that are no longer kept (decisions, Correlation and idempotency).
 * @returns how many; KEYS_BATCH means there may be more
 */
export function deleteOldIdempotencyKeys(): Promise<number> {
  return deleteKeys.run(db(), { hours: LIMITS.idempotencyKeyHours });
}
