import type { Db } from "#lib/platform/db/pool";

/** Rows a statement deletes at most. */
const BATCH = 5_000;

/** Deletes journals and checkpoints in statements of a bounded size: most runs have few rows, one may have thousands. */
export async function deleteSteps(tx: Db, runIds: readonly string[]): Promise<void> {
  await deleteFrom(tx, "execution_events", "seq", runIds);
  await deleteFrom(tx, "run_checkpoints", "node_id, iteration", runIds);
}

/** @param key what, after the run's id, makes a row unique */
async function deleteFrom(tx: Db, table: string, key: string, runIds: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ run_id: string; count: number }>({
    text: `select run_id, count(*) as count from ${table} where run_id = any($1) group by run_id`,
    values: [runIds],
  });
  for (const chunk of chunksOf(rows)) {
    await tx.query({ text: `delete from ${table} where run_id = any($1)`, values: [chunk] });
  }
  for (const { run_id: runId, count } of rows) {
    for (let left = count; left > 0 && count > BATCH; left -= BATCH) {
      await tx.query({
        text: `delete from ${table} where run_id = $1
                 and (${key}) in (select ${key} from ${table} where run_id = $1 limit ${BATCH})`,
        values: [runId],
      });
    }
  }
}

/** Runs whose rows fit into one statement, together as many as do. */
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
