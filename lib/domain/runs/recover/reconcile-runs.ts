import { LIMITS } from "#lib/contract/limits";
import { PIPELINE_TIMEOUT } from "#lib/core/engine/run-state";
import { endBeside } from "#lib/domain/runs/execute/end-beside";
import type { ChangedRun } from "#lib/domain/runs/notify/notify-runs";
import { takeFromDead } from "#lib/domain/runs/recover/declare-dead";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";
import { requeueRuns } from "#lib/platform/jobs/requeue-runs";

const LOCK = 7_301_848;
/** A run is younger than this while the transaction that queues its job may still be on its way. */
const ORPHAN_AGE_SECONDS = 15;
/** How long past its time a run may be held before somebody else ends it: the engine does so by itself. */
const OVERDUE_SECONDS = LIMITS.pipelineTimeoutMs / 1000 + 60;
/**
 * A worker has claimed what it executes long before this. A job that is locked for longer while nobody has claimed its
 * run was fetched in an answer that never arrived: its worker lives and does not know of it.
 */
const UNCLAIMED_SECONDS = 30;
/** A pool registers with its first heartbeat; one that holds jobs for longer without died before it. */
const UNREGISTERED_SECONDS = 30;
const BATCH = 500;

export interface Reconciled {
  /** Runs without a worker that had no job any more. */
  requeued: number;
  /** Runs that a worker held far beyond their time, and the sub-runs that ended with them. */
  timedOut: ChangedRun[];
}

/**
 * The net under the queue: a run that nobody works on and that has no job gets one again. graphile-worker deletes a
 * finished job without asking who holds it, add_job can lose a request, and the network an answer, so a job is not all
 * that a run hangs on. A run with an open sub-run is left alone: it goes on when that one ends.
 * @returns null when another worker is at it
 */
export async function reconcileRuns(): Promise<Reconciled | null> {
  return transaction(async (tx) => {
    const lock = await tx.query<{ is_ours: boolean }>({
      text: "select pg_try_advisory_xact_lock($1) as is_ours",
      values: [LOCK],
    });
    if (!lock.rows[0]?.is_ours) return null;
    const deadPools = await findPoolsToUnlock(tx);
    if (deadPools.length > 0) await takeFromDead(tx, deadPools);
    const orphans = await tx.query<{ id: string; stalled: number }>({
      text: `select r.id, r.stalled from runs r
             where r.status in ('accepted', 'running') and r.lease_owner is null
               and r.created_at < now() - make_interval(secs => $1)
               and not exists (select 1 from graphile_worker.jobs j
                 where j.key = 'run:' || r.id and case when j.locked_at is null then j.attempts < j.max_attempts
                   else j.locked_at > now() - make_interval(secs => $3) end)
               and not exists (select 1 from runs c
                 where c.parent_run_id = r.id and c.status in ('accepted', 'running', 'waiting_for_approval'))
             order by r.created_at limit $2
             for update of r skip locked`,
      values: [ORPHAN_AGE_SECONDS, BATCH, UNCLAIMED_SECONDS],
    });
    await requeueRuns(
      tx,
      orphans.rows.map((row) => ({ runId: row.id, stalled: row.stalled })),
    );
    const { rows: overdue } = await tx.query<ChangedRun>({
      text: `update runs set status = 'timed_out', error = $2::jsonb, completed_at = now(), lease_owner = null,
               lease_token = lease_token + 1, claimed_at = null
             where status = 'running' and lease_owner is not null
               and claimed_at < now() - make_interval(secs => $1) + running_ms * interval '1 millisecond'
             returning id, workspace_id as "workspaceId"`,
      values: [OVERDUE_SECONDS, JSON.stringify(PIPELINE_TIMEOUT)],
    });
    const cancelled = await endBeside(
      tx,
      overdue.map((run) => run.id),
    );
    return { requeued: orphans.rows.length, timedOut: [...overdue, ...cancelled] };
  });
}

/** A worker that was declared dead goes on taking jobs until its next heartbeat tells it; those locks remain. */
async function findPoolsToUnlock(tx: Db): Promise<string[]> {
  const { rows } = await tx.query<{ pool_id: string }>({
    text: `select distinct j.locked_by as pool_id
           from graphile_worker.jobs j left join worker_heartbeats h on h.pool_id = j.locked_by
           where j.locked_by is not null and (h.dead_at is not null
             or (h.pool_id is null and j.locked_at < now() - make_interval(secs => $1)))`,
    values: [UNREGISTERED_SECONDS],
  });
  return rows.map((row) => row.pool_id);
}
