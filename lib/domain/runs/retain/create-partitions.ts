import { log } from "#lib/platform/config/log";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { defineStatement } from "#lib/platform/db/define-statement";
import { limitLockWait } from "#lib/platform/db/limit-lock-wait";
import { transaction } from "#lib/platform/db/transaction";

const ensurePartitions = defineStatement({
  name: "ensure_partitions",
  sql: "select ensure_run_partitions(now(), now() + interval '28 days')",
  isPrepared: false,
});

/**
 * Creates the partitions of the next four weeks. A new partition locks its table for a moment; if it would have to wait,
 * the next call creates it: there is time.
 */
export async function createPartitions(): Promise<void> {
  try {
    await transaction(async (tx) => {
      await limitLockWait(tx);
      await ensurePartitions.run(tx);
    });
  } catch (error) {
    if (!isDatabaseFault(error, "lock_not_available")) throw error;
    log.debug("a table is in use; its next partitions will be created later");
  }
}
