import { DONE_EVENT_KINDS } from "#lib/contract/run/journal";
import { EXECUTABLE_RUN_STATUSES, RUN_STATUSES, type RunError, requireTransitions } from "#lib/contract/run/run";
import { StepError } from "#lib/contract/run/step-error";
import { stopAdmission } from "#lib/domain/runs/execute/admit-runs";
import { endBeside } from "#lib/domain/runs/execute/end-beside";
import { announceLosses, type DeclaredDead } from "#lib/domain/runs/recover/announce-losses";
import { array, enumOf, integer, jsonb, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, repeatableTransaction } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";
import { dequeueRuns } from "#lib/platform/jobs/enqueue";
import { requeueRuns } from "#lib/platform/jobs/requeue-runs";

/** After this many losses of a worker without progress, a run fails (decisions, Runs: worker loss). */
const LOSSES_MAX = 3;
const WORKER_LOST: RunError = new StepError(
  "worker_lost",
  "worker lost: several workers in a row stopped unexpectedly while executing this run",
).toPayload();

const fenceHeartbeats = defineStatement({
  name: "fence_heartbeats",
  params: { poolIds: array(text) },
  sql: "update worker_heartbeats set dead_at = now() where pool_id = any($1) and dead_at is null",
  isPrepared: false,
});

/** Runs that another worker has claimed meanwhile, or that have nothing left to execute: the worker that takes one sees which. */
const freeQueued = defineStatement({
  name: "free_queued_runs_of_workers",
  params: { poolIds: array(text) },
  sql: "update run_queue set ticket = null, taken_by = null, taken_at = null where ticket is not null and taken_by = any($1)",
  isPrepared: false,
});

const freeJobs = defineStatement({
  name: "free_jobs_of_workers",
  params: { poolIds: array(text) },
  sql: "select remove_run_jobs($1), graphile_worker.force_unlock_workers($1)",
  isPrepared: false,
});

/**
 * Takes everything from dead workers (decisions, Runs: worker loss). Their heartbeats are fenced, so that a worker that
 * is still alive learns it and exits; the jobs of their runs are removed, and the runs go back into the queue; the locks of
 * their other jobs are released, which graphile-worker would do only after four hours. Steps completed since the last loss count as progress. Idempotent.
 * Repeated after a deadlock: a cancel may lock the same runs in another order.
 * @param poolIds graphile-worker's ids of the pools
 */
export async function declareDead(poolIds: readonly string[]): Promise<DeclaredDead> {
  const dead = await repeatableTransaction((tx) => takeFromDead(tx, poolIds));
  await announceLosses(dead);
  return dead;
}

/**
 * Does the work of declareDead for a caller that holds a lock, and that announces the losses after its commit.
 * @param tx a transaction: half of it would lose runs
 */
export async function takeFromDead(tx: Db, poolIds: readonly string[]): Promise<DeclaredDead> {
  await fenceHeartbeats.run(tx, { poolIds });
  // PostgreSQL may still be giving them runs: a killed process does not end the statement it sent.
  await stopAdmission(tx, poolIds);
  const lost = await selectLost.all(tx, { poolIds, lossesMax: LOSSES_MAX, error: WORKER_LOST });
  await freeJobs.run(tx, { poolIds });
  const failed = lost.filter((run) => run.status === "failed");
  const resumed = lost.filter((run) => run.status !== "failed");
  const failedIds = failed.map((run) => run.id);
  await dequeueRuns(tx, failedIds);
  const cancelled = await endBeside(tx, failedIds);
  await requeueRuns(
    tx,
    resumed.map(({ id, stalled }) => ({ runId: id, stalled })),
  );
  await freeQueued.run(tx, { poolIds });
  return { resumed, failed, cancelled };
}

const FAILED_FROM = sqlSet(requireTransitions(EXECUTABLE_RUN_STATUSES, "failed"));

/**
 * Selects the runs that the workers had claimed, and those they had only opened or taken from the queue. Running time
 * counts up to the worker's last heartbeat. A run that was only taken is not blamed, because the worker did not have it
 * yet. If PostgreSQL restarted in between, a worker may have ended because of that, and its runs are not blamed: a
 * suspect run would fail for something it did not do. The conditions are repeated where rows are locked: a run may end
 * while this waits for it. Runs are locked in the order of their ids, as in finish_runs and append_events.
 */
const selectLost = defineStatement({
  name: "take_runs_of_dead_workers",
  params: { poolIds: array(text), lossesMax: integer, error: jsonb<RunError>() },
  row: { id: uuid, workspaceId: uuid, status: enumOf(RUN_STATUSES), stalled: integer },
  sql: `with mine as (
      select id, null::timestamptz as taken_at, true as is_opened from runs
      where lease_owner = any($1) and status = 'running'
      union all
      select r.id, q.taken_at, exists (select 1 from opened_runs o where o.pool_id = q.taken_by and r.id = any(o.run_ids))
      from run_queue q join runs r on r.id = q.run_id
      where q.ticket is not null and q.taken_by = any($1) and r.lease_owner is null and r.status in ${sqlSet(EXECUTABLE_RUN_STATUSES)}
    ), lost as (
      select r.id, r.stalled, r.done_at_recovery, (
          select count(*) from execution_events e where e.run_id = r.id
            and e.kind in ${sqlSet(DONE_EVENT_KINDS)}
        )::integer as done,
        greatest(0, extract(epoch from h.last_seen_at - r.claimed_at) * 1000)::integer as used_ms,
        coalesce(case when r.lease_owner is not null then r.claimed_at end, mine.taken_at) < pg_postmaster_start_time()
          or not mine.is_opened as is_blameless
      from mine join runs r on r.id = mine.id left join worker_heartbeats h on h.pool_id = r.lease_owner
      where r.status in ${sqlSet(EXECUTABLE_RUN_STATUSES)} and (r.lease_owner is null or r.lease_owner = any($1))
      order by r.id
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
    from judged j where r.id = j.id and r.status in ${FAILED_FROM}
    returning r.id, r.workspace_id as "workspaceId", r.status, r.stalled`,
  isPrepared: false,
});
