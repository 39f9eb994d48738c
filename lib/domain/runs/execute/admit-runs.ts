import { RUN_SHARES } from "#lib/contract/workspace/plans";
import {
  array,
  bigint,
  boolean,
  filled,
  float8,
  integer,
  jsonb,
  nullable,
  type RowOf,
  text,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { QUEUE_CHANNEL } from "#lib/platform/jobs/announce-jobs";

/** A run that was admitted to a worker, the number of this admission, and its job of Graphile Worker, which has both. */
export interface AdmittedRun {
  runId: string;
  ticket: number;
  jobId: number;
}

export interface Admission {
  runs: AdmittedRun[];
  /** Of the last run; the next call continues after it. */
  lastWorkspace: string;
  /** True if due runs remain in the queue. */
  hasMore: boolean;
  /** When the next later run is due; null if there is none. */
  nextInMs: number | null;
}

export interface AdmitRequest {
  /** The worker's pool. */
  poolId: string;
  /** How many at most. */
  wanted: number;
  /** How many the worker executes at once. */
  slots: number;
  /** `lastWorkspace` of the previous call. */
  afterWorkspace: string;
  /** Leaves out workspaces that already have a run in flight. */
  isOnlyNew: boolean;
}

/** Sorts before every workspace. */
export const NO_WORKSPACE = "00000000-0000-0000-0000-000000000000";

const ADMISSION_ROW = {
  run_ids: array(uuid),
  tickets: array(bigint),
  job_ids: array(bigint),
  last_workspace: uuid,
  has_more: boolean,
  next_in_ms: nullable(float8),
};

const callAdmitRuns = defineStatement({
  name: "admit_runs",
  params: {
    poolId: text,
    wanted: integer,
    slots: integer,
    afterWorkspace: uuid,
    isOnlyNew: boolean,
    shares: jsonb<Record<string, number>>(),
  },
  row: ADMISSION_ROW,
  sql: "select * from admit_runs($1, $2, $3, $4, $5, $6)",
});

/**
 * Admits the next runs of the queue to a worker, of the workspaces with the fewest in flight
 * (`prisma/functions/admit_runs.sql`). Each becomes a job of Graphile Worker. An admitted run stays in the queue until it ends
 * or is parked, or is returned.
 */
export async function admitRuns(db: Db, request: AdmitRequest): Promise<Admission> {
  return admissionOf(await callAdmitRuns.one(db, { ...request, shares: RUN_SHARES }));
}

function admissionOf(row: RowOf<typeof ADMISSION_ROW>): Admission {
  return {
    runs: row.run_ids.map((runId, index) => ({
      runId,
      ticket: row.tickets[index] ?? 0,
      jobId: row.job_ids[index] ?? 0,
    })),
    lastWorkspace: row.last_workspace,
    hasMore: row.has_more,
    nextInMs: row.next_in_ms,
  };
}

const lockWorkers = defineStatement({
  name: "lock_taking_workers",
  params: { poolIds: array(text) },
  // admit_runs takes the same ones, shared.
  sql: `select pg_advisory_xact_lock(hashtextextended(p.id, 4))
        from (select distinct unnest($1::text[]) as id order by 1) p`,
  isPrepared: false,
});

/**
 * Until the transaction ends, these workers take no runs, and the others continue. What they took before is visible to the
 * next statement.
 */
export async function stopAdmission(tx: Db, poolIds: readonly string[]): Promise<void> {
  await lockWorkers.run(tx, { poolIds });
}

const takeSuspect = defineStatement({
  name: "admit_suspect_run",
  params: { poolId: text },
  row: { run_id: uuid, ticket: filled(bigint), job_id: filled(bigint) },
  sql: `with ready as (
          select run_id, run_at from run_queue where is_suspect and not is_later and ticket is null
          order by run_at limit 1 for update skip locked
        ), due as (
          -- admit_runs is not called while every worker is full.
          select run_id, run_at from run_queue where is_later and is_suspect and run_at <= clock_timestamp()
          order by run_at limit 1 for update skip locked
        ), admitted as (
          update run_queue set ticket = nextval('run_queue_tickets'), taken_by = $1, taken_at = now(), is_later = false,
            attempts = attempts + 1
          where run_id = (
              select run_id from (select * from ready union all select * from due) s order by run_at limit 1)
            and not exists (select 1 from worker_heartbeats where pool_id = $1 and dead_at is not null)
          returning run_id, ticket
        )
        select run_id, ticket, (add_run_jobs($1, array[run_id], array[ticket]))[1] as job_id from admitted`,
});

/** Admits the next suspect run to the quarantine worker. Without room it admits none: two would share a loss. */
export async function admitSuspectRun(db: Db, { poolId, wanted }: AdmitRequest): Promise<Admission> {
  if (wanted === 0) return { runs: [], lastWorkspace: NO_WORKSPACE, hasMore: true, nextInMs: null };
  const rows = await takeSuspect.all(db, { poolId });
  const runs = rows.map((row) => ({ runId: row.run_id, ticket: row.ticket, jobId: row.job_id }));
  return { runs, lastWorkspace: NO_WORKSPACE, hasMore: runs.length > 0, nextInMs: null };
}

const giveBack = defineStatement({
  name: "give_run_back",
  params: { runId: uuid, ticket: bigint, poolId: text, isRetry: boolean, channel: text },
  sql: `with returned as (
          update run_queue set ticket = null, taken_by = null, taken_at = null, is_later = $4,
            run_at = case when $4 then clock_timestamp() + least(60, 2 ^ least(attempts, 6)) * interval '1 second'
              else run_at end,
            attempts = case when $4 then attempts else greatest(0, attempts - 1) end
          where run_id = $1 and ticket = $2 and taken_by = $3
          returning is_later
        )
        select pg_notify($5, '') from returned where not is_later`,
});

/**
 * Returns a run that was not executed, after a pause that grows with each attempt, or at once: then other workers are
 * notified.
 */
export async function giveRunBack(
  db: Db,
  { runId, ticket }: Pick<AdmittedRun, "runId" | "ticket">,
  poolId: string,
  isRetry: boolean,
): Promise<void> {
  await giveBack.run(db, { runId, ticket, poolId, isRetry, channel: QUEUE_CHANNEL });
}

const dropRun = defineStatement({
  name: "drop_admitted_run",
  params: { runId: uuid, ticket: bigint, poolId: text },
  sql: "delete from run_queue where run_id = $1 and ticket = $2 and taken_by = $3",
});

/** Removes a run from the queue that turned out to have nothing to execute, unless it was queued again meanwhile. */
export async function dropAdmitted(
  db: Db,
  { runId, ticket }: Pick<AdmittedRun, "runId" | "ticket">,
  poolId: string,
): Promise<void> {
  await dropRun.run(db, { runId, ticket, poolId });
}
