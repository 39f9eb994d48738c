import { array, bigint, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { STEP_TABLES } from "#lib/platform/db/partitioned-tables";
import type { Db } from "#lib/platform/db/pool";

/** The most rows that one statement deletes. */
const BATCH = 5_000;

/** @param key the columns that, after the run's id, make a row unique */
function defineDeletes(table: (typeof STEP_TABLES)[number], key: string) {
  const isPrepared = false;
  return {
    countRows: defineStatement({
      name: `count_${table}`,
      params: { runIds: array(uuid) },
      row: { run_id: uuid, count: bigint },
      sql: `select run_id, count(*) as count from ${table} where run_id = any($1) group by run_id`,
      isPrepared,
    }),
    deleteWhole: defineStatement({
      name: `delete_${table}`,
      params: { runIds: array(uuid) },
      sql: `delete from ${table} where run_id = any($1)`,
      isPrepared,
    }),
    deleteBatch: defineStatement({
      name: `delete_batch_of_${table}`,
      params: { runId: uuid },
      sql: `delete from ${table} where run_id = $1
              and (${key}) in (select ${key} from ${table} where run_id = $1 limit ${BATCH})`,
      isPrepared,
    }),
  };
}

const JOURNAL = defineDeletes("execution_events", "seq");
const ENDS = defineDeletes("journal_ends", "run_id");
const CHECKPOINTS = defineDeletes("run_checkpoints", "node_id, iteration");

/**
 * Deletes journals and checkpoints in statements of a bounded size: most runs have few rows, one may have thousands.
 */
export async function deleteSteps(tx: Db, runIds: readonly string[]): Promise<void> {
  await deleteFrom(tx, JOURNAL, runIds);
  await deleteFrom(tx, ENDS, runIds);
  await deleteFrom(tx, CHECKPOINTS, runIds);
}

async function deleteFrom(tx: Db, table: ReturnType<typeof defineDeletes>, runIds: readonly string[]): Promise<void> {
  const rows = await table.countRows.all(tx, { runIds });
  for (const chunk of chunksOf(rows)) await table.deleteWhole.run(tx, { runIds: chunk });
  for (const { run_id: runId, count } of rows) {
    for (let left = count; left > 0 && count > BATCH; left -= BATCH) await table.deleteBatch.run(tx, { runId });
  }
}

/** Groups runs whose rows fit into one statement together. */
function chunksOf(counts: readonly { run_id: string; count: number }[]): string[][] {
  const chunks: string[][] = [];
  let room = 0;
  for (const { run_id: runId, count } of counts) {
    if (count > BATCH) continue;
    if (count > room) {
      chunks.push([]);
      room = BATCH;
    }
    chunks.at(-1)?.push(runId);
    room -= count;
  }
  return chunks;
}
