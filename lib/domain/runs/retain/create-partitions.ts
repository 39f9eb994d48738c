import { log } from "#lib/platform/config/log";
import { integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { LIMITED_LOCK_WAIT, retryLock } from "#lib/platform/db/limit-lock-wait";
import type { Db } from "#lib/platform/db/pool";

/**
 * The most rows of a default partition that move while calls are served: everything that uses the table waits for them.
 */
export const MOVED_ROWS_MAX = 5_000;

const isPrepared = false;

const listMissing = defineStatement({
  name: "list_missing_partitions",
  row: { parent: text, part: text, starts: uuid, ends: uuid },
  sql: "select parent, part, starts, ends from missing_partitions(now(), now() + interval '28 days')",
  isPrepared,
});

/** One statement, and so a transaction of its own on every kind of connection. */
const createPartition = defineStatement({
  name: "create_partition",
  params: { parent: text, part: text, starts: uuid, ends: uuid, rowsMax: nullable(integer) },
  row: { moved: integer },
  sql: `with patience as materialized (select ${LIMITED_LOCK_WAIT})
    select create_partition($1, $2, $3, $4, $5) as moved from patience`,
  isPrepared,
});

/**
 * Creates the partitions of the next four weeks, and those of earlier weeks that rows were written for while they had
 * none. Such rows are in the default partitions, where no retention finds them; they move. A new partition locks its table
 * for a moment; if it would have to wait, the next call creates it: there is time. A partition that fails keeps no other
 * one from being created.
 * @param rowsMax the most rows that one partition may move; null for any number
 */
export async function createPartitions(on: Db, rowsMax: number | null): Promise<void> {
  for (const missing of await listMissing.all(on)) {
    const { part: partition } = missing;
    try {
      const created = await retryLock(() => createPartition.one(on, { ...missing, rowsMax }));
      if (created === null) log.debug({ partition }, "a table is in use; its next partition will be created later");
      else if (created.moved > 0)
        log.info({ partition, rows: created.moved }, "rows were moved to their new partition");
    } catch (error) {
      log.warn({ err: error, partition }, "a partition was not created");
    }
  }
}
