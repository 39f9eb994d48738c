import { LIMITS } from "#lib/contract/limits";
import { bigint, integer } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { DELIVERY_TABLES } from "#lib/platform/db/partitioned-tables";
import { db } from "#lib/platform/db/pool";

const BATCH = 5_000;
/** A weekly partition is dropped this long after its first row is due, and a day later in any case. */
const PARTITION_DAYS = 8;

const DELETES = [defineDelete("trigger_deliveries", "received_at"), defineDelete("event_deliveries", "created_at")];

function defineDelete(table: (typeof DELIVERY_TABLES)[number], at: string) {
  return defineStatement({
    name: `delete_old_${table}`,
    params: { keptDays: integer, limit: bigint },
    sql: `delete from ${table} where id in (
            select id from ${table} where ${at} < now() - make_interval(days => $1)
            order by ${at} limit $2 for update skip locked)`,
  });
}

/**
 * Deletes one batch of entries that the delivery logs no longer keep and that are in no weekly partition: rows of an
 * earlier release. `dropOldPartitions` drops the others a week at a time.
 * @returns whether there may be more
 */
export async function deleteOldDeliveries(): Promise<boolean> {
  const keptDays = LIMITS.deliveryLogDays + PARTITION_DAYS;
  let isMore = false;
  for (const statement of DELETES) isMore = (await statement.run(db(), { keptDays, limit: BATCH })) === BATCH || isMore;
  return isMore;
}
