import { LIMITS } from "#lib/contract/limits";
import { EXECUTABLE_RUN_STATUSES, OPEN_RUN_STATUSES, type RunError, requireTransitions } from "#lib/contract/run/run";
import { PIPELINE_TIMEOUT } from "#lib/core/engine/run-state";
import { endBeside } from "#lib/domain/runs/execute/end-beside";
import { notifyEndedRuns } from "#lib/domain/runs/notify/notify-ended-runs";
import type { ChangedRun } from "#lib/domain/runs/notify/notify-runs";
import { announceLosses, type DeclaredDead } from "#lib/domain/runs/recover/announce-losses";
import { countRepairs } from "#lib/domain/runs/recover/count-repairs";
import { takeFromDead } from "#lib/domain/runs/recover/declare-dead";
import { bigint, float8, integer, jsonb, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, transaction } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";
import { tryAdvisoryLock } from "#lib/platform/db/try-advisory-lock";
import { requeueRuns } from "#lib/platform/jobs/requeue-runs";

const LOCK = 7_301_848;
/** The transaction that queues a run may still be in progress while the run is younger than this. */
const ORPHAN_AGE_SECONDS = 15;
/**
 * How long past its time limit a run may be held before it is ended from outside. The engine normally ends it itself.
 */
const OVERDUE_SECONDS = LIMITS.pipelineTimeoutMs / 1000 + 60;
/**
 * A worker claims what it executes long before this. If a run was taken longer ago and is still unclaimed, the answer
 * that carried it never arrived: its worker is alive and does not know of it.
 */
const UNCLAIMED_SECONDS = 30;
/** A pool registers with its first heartbeat. One that holds jobs for longer without registering died before it. */
const UNREGISTERED_SECONDS = 30;
const BATCH = 500;
/** How many of the newest runs each search for lost ones reads, and how many older ones at most. */
const READ_MAX = 20_000;
/** The older runs are read in this many parts, one every 30 s, which takes 8 hours. */
const PARTS = 1_000;
const PART_MS = 30_000;

export interface Reconciled {
  /** Of workers that had signed off or were dead, and still held something; null if there were none. */
  dead: DeclaredDead | null;
  /** Runs without a worker that were not in the queue. */
  requeued: number;
  /** Runs that a worker held far beyond their time, and the sub-runs that ended with them. */
  timedOut: ChangedRun[];
}

/**
 * No index of `runs` holds accepted runs (`lib/platform/db/open-runs-sql`). Those that were taken and forgotten are in the
 * queue. One that is not even there is looked for among the newest runs, and in one of the equal parts of the time since the
 * oldest run. Nothing in the product takes an accepted run out of the queue, so this only repairs what was done by hand.
 */
const lockOrphans = defineStatement({
  name: "lock_orphans",
  params: { ageSeconds: float8, limit: bigint, unclaimedSeconds: float8, part: float8 },
  row: { id: uuid, stalled: integer },
  sql: `with part as (
          select starts + length * $4 as starts, starts + length * ($4 + 1) as ends
          from (select uuid_moment(id) as starts, (now() - uuid_moment(id)) / ${PARTS} as length
            from runs order by id limit 1) oldest
        ), recent as (
          select id, status from runs order by id desc limit ${READ_MAX}
        ), older as (
          select r.id, r.status from part, runs r
          where r.id >= uuid_floor(part.starts) and r.id < uuid_floor(part.ends) limit ${READ_MAX}
        ), suspected as materialized (
          select id from runs where indexed_status = 'running' and lease_owner is null
          union select run_id from run_queue where ticket is not null and taken_at <= now() - make_interval(secs => $3)
          union select id from (select * from recent union all select * from older) n
            where n.status = 'accepted' and not exists (select 1 from run_queue q where q.run_id = n.id)
        )
        select r.id, r.stalled from runs r
        where r.id in (select id from suspected)
          and r.status in ${sqlSet(EXECUTABLE_RUN_STATUSES)} and r.lease_owner is null
          and r.created_at < now() - make_interval(secs => $1)
          and not exists (select 1 from run_queue q
            where q.run_id = r.id and (q.ticket is null or q.taken_at > now() - make_interval(secs => $3)))
          and not exists (select 1 from runs c
            where c.parent_run_id = r.id and c.status in ${sqlSet(OPEN_RUN_STATUSES)})
        order by r.created_at limit $2
        for update of r skip locked`,
  isPrepared: false,
});

const dropSettled = defineStatement({
  name: "drop_settled_runs",
  params: { unclaimedSeconds: float8 },
  sql: `delete from run_queue q
        where q.ticket is not null and q.taken_at < now() - make_interval(secs => $1)
          and not exists (select 1 from runs r where r.id = q.run_id and r.status in ${sqlSet(EXECUTABLE_RUN_STATUSES)})`,
  isPrepared: false,
});

const removeLeftJobs = defineStatement({
  name: "remove_left_run_jobs",
  params: {},
  sql: "select remove_left_run_jobs()",
  isPrepared: false,
});

const endOverdue = defineStatement({
  name: "end_overdue_runs",
  params: { overdueSeconds: float8, error: jsonb<RunError>() },
  row: { id: uuid, workspaceId: uuid },
  sql: `update runs set status = 'timed_out', error = $2::jsonb, completed_at = now(), lease_owner = null,
          lease_token = lease_token + 1, claimed_at = null
        where status = 'running' and lease_owner is not null
          and claimed_at < now() - make_interval(secs => $1) + running_ms * interval '1 millisecond'
        returning id, workspace_id as "workspaceId"`,
  isPrepared: false,
});
requireTransitions(["running"], "timed_out");

const selectPoolsToUnlock = defineStatement({
  name: "find_pools_to_unlock",
  params: { unregisteredSeconds: float8 },
  row: { pool_id: text },
  sql: `select distinct t.pool_id from (
          select taken_by as pool_id, taken_at from run_queue where ticket is not null
          union all select locked_by, locked_at from graphile_worker.jobs where locked_by is not null
        ) t left join worker_heartbeats h on h.pool_id = t.pool_id
        where t.pool_id is not null and (h.dead_at is not null
          or (h.pool_id is null and t.taken_at < now() - make_interval(secs => $1)))
        union
        select h.pool_id from worker_heartbeats h
        where h.dead_at is not null and exists (select 1 from runs r where r.lease_owner = h.pool_id)`,
  isPrepared: false,
});

/**
 * The safety net under the queue: queues a run again that has no worker and is not in the queue, or whose worker does not
 * know of it because the network lost an answer. Removes taken runs that have nothing to execute, and jobs of runs that are no
 * longer admitted. A run with an open sub-run is left alone: it continues when that one
 * ends.
 * @param now selects the part of the older runs that is searched
 * @returns null if another worker is reconciling
 */
export async function reconcileRuns(now = new Date()): Promise<Reconciled | null> {
  const part = Math.floor(now.getTime() / PART_MS) % PARTS;
  const done = await transaction(async (tx) => ((await tryAdvisoryLock(tx, LOCK)) ? reconcile(tx, part) : null));
  if (!done) return null;
  if (done.dead) await announceLosses(done.dead);
  await notifyEndedRuns(done.timedOut);
  countRepairs("requeued", done.requeued);
  countRepairs("timed_out", done.timedOut.length);
  return done;
}

async function reconcile(tx: Db, part: number): Promise<Reconciled> {
  const deadPools = await findPoolsToUnlock(tx);
  const dead = deadPools.length > 0 ? await takeFromDead(tx, deadPools) : null;
  const orphans = await lockOrphans.all(tx, {
    ageSeconds: ORPHAN_AGE_SECONDS,
    limit: BATCH,
    unclaimedSeconds: UNCLAIMED_SECONDS,
    part,
  });
  await requeueRuns(
    tx,
    orphans.map((row) => ({ runId: row.id, stalled: row.stalled })),
  );
  // Their worker could not drop them, and each would use a slot for as long as that worker lives.
  await dropSettled.run(tx, { unclaimedSeconds: UNCLAIMED_SECONDS });
  // A crash of PostgreSQL may forget that their worker removed them.
  await removeLeftJobs.run(tx);
  const overdue = await endOverdue.all(tx, { overdueSeconds: OVERDUE_SECONDS, error: PIPELINE_TIMEOUT });
  const cancelled = await endBeside(
    tx,
    overdue.map((run) => run.id),
  );
  return { dead, requeued: orphans.length, timedOut: [...overdue, ...cancelled] };
}

/**
 * A worker that was declared dead keeps taking jobs until its next heartbeat fails; those locks remain. One that signed
 * off may leave leases: the answer to a claim was lost. Only a worker that has registered can claim.
 */
async function findPoolsToUnlock(tx: Db): Promise<string[]> {
  const rows = await selectPoolsToUnlock.all(tx, { unregisteredSeconds: UNREGISTERED_SECONDS });
  return rows.map((row) => row.pool_id);
}
