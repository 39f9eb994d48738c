import { RETENTION_BATCH, RETENTION_LOCK, WEEKS_OVER } from "#lib/domain/runs/retain/delete-old-runs";
import { deleteSteps } from "#lib/domain/runs/retain/delete-steps";
import { boolean, filled, integer, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { STEP_TABLES } from "#lib/platform/db/partitioned-tables";
import { db, transaction } from "#lib/platform/db/pool";
import { tryAdvisoryLock } from "#lib/platform/db/try-advisory-lock";

const isPrepared = false;

const listKeptWeeks = defineStatement({
  name: "list_kept_weeks",
  params: { defaultDays: integer },
  row: { starts: uuid, ends: uuid },
  sql: `select w.starts, w.ends from ${WEEKS_OVER}
    and exists (select 1 from runs r where r.id >= w.starts and r.id < w.ends) order by w.starts`,
  isPrepared,
});

/**
 * The runs of the next rows, in order. It reads one row of each run, so its time does not depend on the size of the week:
 * an anti-join of the whole week took 6 s for 200,000 runs on a busy machine.
 */
const LISTS = STEP_TABLES.map((table) =>
  defineStatement({
    name: `list_runs_of_${table}`,
    params: { from: uuid, ends: uuid },
    row: { run_id: filled(uuid), is_gone: boolean },
    sql: `with recursive step (run_id, position) as (
        (select s.run_id, 1 from ${table} s where s.run_id >= $1 and s.run_id < $2 order by s.run_id limit 1)
        union all
        select (select s.run_id from ${table} s
            where s.run_id >= $1 and s.run_id > step.run_id and s.run_id < $2 order by s.run_id limit 1),
          step.position + 1
          from step where step.run_id is not null and step.position < ${RETENTION_BATCH}
      )
      select run_id, not exists (select 1 from runs r where r.id = step.run_id) as is_gone
        from step where run_id is not null order by position`,
    isPrepared,
  }),
);

/**
 * Deletes journals and checkpoints that `deleteOldRuns` left behind for the drop of their week, in the weeks that are not
 * dropped yet because of a run that ended late, or that an open replay or sub-run came from. `deleteOldRuns` cannot know
 * such a week: to find a run that ended late, each batch would have to read all runs of the week.
 * Call it when there are no more old runs.
 * @param defaultDays as for `deleteOldRuns`
 * @returns whether there may be more
 */
export async function deleteLeftSteps(defaultDays: number): Promise<boolean> {
  for (const { starts, ends } of await listKeptWeeks.all(db(), { defaultDays })) {
    for (const list of LISTS) {
      let from: string | null = starts;
      while (from !== null) {
        const batch: Batch | null = await deleteBatch(list, { from, ends });
        if (batch === null) return false;
        if (batch.deleted > 0) return true;
        from = batch.next;
      }
    }
  }
  return false;
}

interface Batch {
  deleted: number;
  /** The last run of the batch; null if it is the last of the week. */
  next: string | null;
}

/** @returns null if another worker is deleting */
async function deleteBatch(list: (typeof LISTS)[number], range: { from: string; ends: string }): Promise<Batch | null> {
  return transaction(async (tx) => {
    if (!(await tryAdvisoryLock(tx, RETENTION_LOCK))) return null;
    const runs = await list.all(tx, range);
    const gone = runs.filter((run) => run.is_gone).map((run) => run.run_id);
    await deleteSteps(tx, gone);
    const next = runs.length < RETENTION_BATCH ? null : (runs.at(-1)?.run_id ?? null);
    return { deleted: gone.length, next };
  });
}
