import { TERMINAL_RUN_STATUSES } from "#lib/contract/run/run";
import { deleteSteps } from "#lib/domain/runs/retain/delete-steps";
import { array, boolean, integer, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { oldRuns } from "#lib/platform/db/old-runs";
import { OPEN_RUNS } from "#lib/platform/db/open-runs-sql";
import { STEP_TABLES } from "#lib/platform/db/partitioned-tables";
import { transaction } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";
import { tryAdvisoryLock } from "#lib/platform/db/try-advisory-lock";

/**
 * An arbitrary lock id that lets one worker at a time delete; no partition is dropped meanwhile. `admit_runs` has another
 * one: no run waits for a batch.
 */
export const RETENTION_LOCK = 7_301_861;
/** The most runs that one transaction deletes. */
export const RETENTION_BATCH = 500;

const deleteRuns = defineStatement({
  name: "delete_runs",
  params: { runIds: array(uuid) },
  sql: "delete from runs where id = any($1)",
  isPrepared: false,
});

/**
 * Deletes one batch of runs whose end is older than their workspace's retention (decisions, Retention). Each run is
 * deleted whole: journal, checkpoints, approvals and idempotency keys go in the same transaction, so no one ever reads
 * half a journal. A run that an open replay or sub-run came from is kept until that one ends.
 *
 * Once a week is past the longest retention of all workspaces, the journal and the checkpoints of its runs stay behind,
 * where no one finds them: `dropOldPartitions` drops them whole when the last run of the week is gone. If a run of the
 * week is kept for longer, `deleteLeftSteps` deletes them.
 * @param defaultDays the retention of workspaces without a setting of their own; 0 keeps their runs forever
 * @returns how many; RETENTION_BATCH means there may be more. Null if another worker is deleting
 */
export async function deleteOldRuns(defaultDays: number): Promise<number | null> {
  return transaction(async (tx) => {
    if (!(await tryAdvisoryLock(tx, RETENTION_LOCK))) return null;
    const runs = await lockOldRuns.all(tx, { defaultDays });
    if (runs.length === 0) return 0;
    const runIds = runs.map((run) => run.id);
    await deleteSteps(
      tx,
      runs.filter((run) => !run.is_dropped).map((run) => run.id),
    );
    await deleteRuns.run(tx, { runIds });
    return runIds.length;
  });
}

/**
 * SQL of the weeks, as `w`, that are past the longest retention of all workspaces. Both tables must have the week: rows in
 * a default partition are never dropped.
 */
export const WEEKS_OVER = `(
    select starts, ends from partition_ranges() where parent in ${sqlSet(STEP_TABLES)}
    group by starts, ends having count(*) = ${STEP_TABLES.length}
  ) w where w.ends <= (
    select case when min(coalesce(run_retention_days, $1)) > 0
      then uuid_floor(now() - make_interval(days => max(coalesce(run_retention_days, $1)))) end from workspaces)`;

/**
 * A run that is being replayed is skipped.
 * `is_dropped`: the run's week is over for every workspace, and no open run keeps it.
 */
const lockOldRuns = defineStatement({
  name: "lock_old_runs",
  params: { defaultDays: integer },
  row: { id: uuid, is_dropped: boolean },
  sql: `with weeks as materialized (
      select w.starts, w.ends from ${WEEKS_OVER} and not exists (select 1 from ${OPEN_RUNS} o
        where o.id >= w.starts and o.id < w.ends)
    ), old as materialized (
      select r.id from ${oldRuns("r.id", RETENTION_BATCH)} limit ${RETENTION_BATCH}
    )
    select r.id, exists (select 1 from weeks w where r.id >= w.starts and r.id < w.ends) as is_dropped
    from runs r where r.id in (select id from old)
      and r.status in ${sqlSet(TERMINAL_RUN_STATUSES)}
    for update of r skip locked`,
  isPrepared: false,
});
