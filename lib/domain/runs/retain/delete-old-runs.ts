import { deleteSteps } from "#lib/domain/runs/retain/delete-steps";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

/** Any constant will do: it lets one worker at a time delete. */
export const RETENTION_LOCK = 7_301_849;
/** Runs a transaction deletes at most. */
export const RETENTION_BATCH = 500;

/**
 * Deletes runs that ended longer ago than their workspace keeps them (decisions, Retention), a batch at a time, each whole:
 * journal, checkpoints, approvals and idempotency keys go in the same transaction, so nobody ever reads half a journal. A
 * run that something open came from, a replay or a sub-run, waits for that to end.
 * @param defaultDays for workspaces without a setting of their own; 0 keeps their runs for good
 * @returns how many; RETENTION_BATCH means there may be more. Null when another worker is at it
 */
export async function deleteOldRuns(defaultDays: number): Promise<number | null> {
  return transaction(async (tx) => {
    const lock = await tx.query<{ is_ours: boolean }>({
      text: "select pg_try_advisory_xact_lock($1) as is_ours",
      values: [RETENTION_LOCK],
    });
    if (!lock.rows[0]?.is_ours) return null;
    const runIds = await lockOldRuns(tx, defaultDays);
    if (runIds.length === 0) return 0;
    await deleteSteps(tx, runIds);
    await tx.query({ text: "delete from runs where id = any($1)", values: [runIds] });
    return runIds.length;
  });
}

/** Looks per workspace, so that each look is the old end of an index; a run that is being replayed is passed over. */
async function lockOldRuns(tx: Db, defaultDays: number): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    text: `with old as materialized (
        select r.id
        from (select id, now() - make_interval(days => coalesce(run_retention_days, $1)) as until from workspaces
              where coalesce(run_retention_days, $1) > 0) w
        cross join lateral (
          select r.id from runs r
          where r.workspace_id = w.id and r.created_at < w.until and r.completed_at < w.until
            and not exists (select 1 from runs o where o.resume_from_run_id = r.id and o.completed_at is null)
            and not exists (select 1 from runs o where o.parent_run_id = r.id and o.completed_at is null)
          order by r.created_at limit ${RETENTION_BATCH}
        ) r
        limit ${RETENTION_BATCH}
      )
      select r.id from runs r where r.id in (select id from old)
        and r.status in ('succeeded', 'failed', 'cancelled', 'timed_out')
      for update of r skip locked`,
    values: [defaultDays],
  });
  return rows.map((row) => row.id);
}
