import { LIMITS } from "#lib/contract/limits";
import { db } from "#lib/platform/db/pool";

export const EVENTS_BATCH = 5_000;

/** Deletes a batch of what is older than the delivery log reaches. @returns how many rows */
export async function deleteOldEvents(): Promise<number> {
  const { rowCount } = await db().query({
    name: "delete_old_events",
    text: `delete from event_deliveries where id in (
             select id from event_deliveries where created_at < now() - make_interval(days => $1)
             order by created_at limit $2 for update skip locked)`,
    values: [LIMITS.deliveryLogDays, EVENTS_BATCH],
  });
  return rowCount ?? 0;
}
