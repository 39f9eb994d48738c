import { LIMITS } from "#lib/contract/limits";
import { db } from "#lib/platform/db/pool";

export const DELIVERIES_BATCH = 5_000;

/** Deletes a batch of what is older than the delivery log reaches. @returns how many rows */
export async function deleteOldDeliveries(): Promise<number> {
  const { rowCount } = await db().query({
    name: "delete_old_deliveries",
    text: `delete from trigger_deliveries where id in (
             select id from trigger_deliveries where received_at < now() - make_interval(days => $1)
             order by received_at limit $2 for update skip locked)`,
    values: [LIMITS.deliveryLogDays, DELIVERIES_BATCH],
  });
  return rowCount ?? 0;
}
