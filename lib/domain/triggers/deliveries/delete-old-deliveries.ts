import { LIMITS } from "#lib/contract/limits";
import { bigint, integer } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

export const DELIVERIES_BATCH = 5_000;
/** A weekly partition is dropped this long after its first row is due, and a day later in any case. */
const PARTITION_DAYS = 8;

const deleteBatch = defineStatement({
  name: "delete_old_deliveries",
  params: { keptDays: integer, limit: bigint },
  sql: `delete from trigger_deliveries where id in (
          select id from trigger_deliveries where received_at < now() - make_interval(days => $1)
          order by received_at limit $2 for update skip locked)`,
});

/**
 * Deletes one batch of entries that the delivery log no longer keeps and that lie in no weekly partition: rows of an
 * earlier release. `dropOldPartitions` drops the others a week at a time.
 * @returns how many rows
 */
export async function deleteOldDeliveries(): Promise<number> {
  return deleteBatch.run(db(), { keptDays: LIMITS.deliveryLogDays + PARTITION_DAYS, limit: DELIVERIES_BATCH });
}
