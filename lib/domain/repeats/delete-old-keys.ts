import { LIMITS } from "#lib/contract/limits";
import { integer } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const BATCH = 5_000;

/** The tables of idempotency keys: of runs, and of everything else that a call creates, with its answers. */
const DELETIONS = ["idempotency_keys", "call_keys"].map((table) =>
  defineStatement({
    name: `delete_old_${table}`,
    params: { hours: integer },
    sql: `delete from ${table} where ctid in (
            select ctid from ${table} where created_at < now() - make_interval(hours => $1)
            limit ${BATCH} for update skip locked)`,
    isPrepared: false,
  }),
);

/**
 * Deletes one batch of the idempotency keys that no longer hold (decisions, Correlation and idempotency).
 * @returns whether there may be more
 */
export async function deleteOldKeys(): Promise<boolean> {
  let hasMore = false;
  for (const deletion of DELETIONS) {
    hasMore = (await deletion.run(db(), { hours: LIMITS.idempotencyKeyHours })) === BATCH || hasMore;
  }
  return hasMore;
}
