import { LIMITS } from "#lib/contract/limits";
import { integer } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

export const CALL_KEYS_BATCH = 1_000;

const deleteKeys = defineStatement({
  name: "delete_old_call_keys",
  params: { hours: integer },
  sql: `delete from call_keys where ctid in (
          select ctid from call_keys where created_at < now() - make_interval(hours => $1)
          limit ${CALL_KEYS_BATCH} for update skip locked)`,
  isPrepared: false,
});

/**
 * Deletes one batch of idempotency keys that no longer hold, with their answers.
 * @returns how many; CALL_KEYS_BATCH means there may be more
 */
export function deleteOldCallKeys(): Promise<number> {
  return deleteKeys.run(db(), { hours: LIMITS.idempotencyKeyHours });
}
