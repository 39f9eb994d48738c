import { LIMITS } from "#lib/contract/limits";
import { bigint, integer } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

export const DELIVERIES_BATCH = 5_000;

const deleteBatch = defineStatement({
  name: "delete_old_deliveries",
  params: { keptDays: integer, limit: bigint },
  sql: `delete from trigger_deliveries where id in (
          select id from trigger_deliveries where received_at < now() - make_interval(days => $1)
          order by received_at limit $2 for update skip locked)`,
});

/**
 * Deletes one batch of entries that are older than the delivery log keeps.
 * @returns how many rows
 */
export async function deleteOldDeliveries(): Promise<number> {
  return deleteBatch.run(db(), { keptDays: LIMITS.deliveryLogDays, limit: DELIVERIES_BATCH });
}
