import type { RunError, RunStatus } from "#lib/contract/run";
import { StepError } from "#lib/contract/step-error";
import { endBeside } from "#lib/domain/runs/execute/end-beside";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";
import { removeRunJob } from "#lib/platform/jobs/enqueue";
import { requeueRuns } from "#lib/platform/jobs/requeue-runs";

/** decisions, Runs: after this many losses of a worker without progress a run is given up. */
const LOSSES_MAX = 3;
const WORKER_LOST: RunError = new StepError(
  "worker_lost",
  "worker lost: the run ended its worker repeatedly",
).toPayload();

export interface DeclaredDead {
  /** Runs that go on elsewhere, and runs that were given up. */
  resumed: LostRun[];
  failed: LostRun[];
}

export interface LostRun {
  runId: string;
  workspaceId: string;
  /** Losses of a worker in a row without progress, this one included. */
  stalled: number;
}

interface LostRow {
  id: string;
  workspace_id: string;
  status: RunStatus;
  stalled: number;
}

/**
 * Takes everything from workers that are gone (decisions, Runs: worker loss): their heartbeats are fenced, so that one
 * who still lives learns it and ends itself; their job locks are freed, which graphile-worker would do after four
 * hours; their runs go back into the queue. Steps done since the last loss count as progress. Idempotent.
 * @param poolIds graphile-worker's ids of the pools
 */
export function declareDead(poolIds: readonly string[]): Promise<DeclaredDead> {
  return transaction((tx) => takeFromDead(tx, poolIds));
}

/**
 * declareDead for a caller that holds a lock.
 * @param tx a transaction: half of it would lose runs
 */
export async function takeFromDead(tx: Db, poolIds: readonly string[]): Promise<DeclaredDead> {
  await tx.query({
    text: "update worker_heartbeats set dead_at = now() where pool_id = any($1) and dead_at is null",
    values: [poolIds],
  });
  const lost = await takeRuns(tx, poolIds);
  await tx.query({ text: "select graphile_worker.force_unlock_workers($1)", values: [poolIds] });
  const failed = lost.filter((row) => row.status === "failed").map(lostRun);
  const resumed = lost.filter((row) => row.status !== "failed").map(lostRun);
  for (const run of failed) await removeRunJob(tx, run.runId);
  await endBeside(
    tx,
    failed.map((run) => run.runId),
  );
  await requeueRuns(tx, resumed);
  return { resumed, failed };
}

function lostRun(row: LostRow): LostRun {
  return { runId: row.id, workspaceId: row.workspace_id, stalled: row.stalled };
}

/**
 * The runs they had claimed, and those they had opened only, which are known by their locked jobs. Running time counts
 * up to the worker's last sign of life. Where PostgreSQL restarted meanwhile, a worker may have ended for want of it, and
 * its runs are not blamed: a suspect one would fail for what it did not do. The conditions are repeated where rows are
 * locked: a run may end while this waits for it.
 */
async function takeRuns(tx: Db, poolIds: readonly string[]): Promise<LostRow[]> {
  const { rows } = await tx.query<LostRow>({
    text: `with mine as (
        select id, null::timestamptz as locked_at from runs where lease_owner = any($1) and status = 'running'
        union all
        select r.id, j.locked_at from graphile_worker.jobs j join runs r on j.key = 'run:' || r.id
        where j.locked_by = any($1) and r.lease_owner is null and r.status in ('accepted', 'running')
      ), lost as (
        select r.id, r.stalled, r.done_at_recovery, (
            select count(*) from execution_events e where e.run_id = r.id
              and e.kind in ('step_completed', 'step_skipped', 'step_failed_continued')
          )::integer as done,
          greatest(0, extract(epoch from
            case when r.lease_owner is null then now() else h.last_seen_at end - r.claimed_at) * 1000)::integer as used_ms,
          coalesce(r.claimed_at, mine.locked_at) < pg_postmaster_start_time() as is_blameless
        from mine join runs r on r.id = mine.id left join worker_heartbeats h on h.pool_id = r.lease_owner
        where r.status in ('accepted', 'running') and (r.lease_owner is null or r.lease_owner = any($1))
        for update of r
      ), judged as (
        select *, case when done > done_at_recovery then 0 else stalled end + case when is_blameless then 0 else 1 end
          as losses from lost
      )
      update runs r set lease_owner = null, lease_token = r.lease_token + 1, recoveries = r.recoveries + 1,
        stalled = j.losses, done_at_recovery = j.done, running_ms = r.running_ms + coalesce(j.used_ms, 0),
        claimed_at = null,
        status = case when j.losses >= $2 then 'failed' else r.status end,
        error = case when j.losses >= $2 then $3::jsonb end,
        completed_at = case when j.losses >= $2 then now() end
      from judged j where r.id = j.id and r.status in ('accepted', 'running')
      returning r.id, r.workspace_id, r.status, r.stalled`,
    values: [poolIds, LOSSES_MAX, JSON.stringify(WORKER_LOST)],
  });
  return rows;
}
