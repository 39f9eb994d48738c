import { array, float8, integer, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { QUEUE_CHANNEL } from "#lib/platform/jobs/announce-jobs";
import { SUSPECT_STALLED } from "#lib/platform/jobs/payloads";

/**
 * Before the other runs of the workspace: a resumed run has waited long enough (behind 2,000 queued runs it took 10 s
 * instead of 5).
 */
const RESUME_PRIORITY = -10;

export interface RequeuedRun {
  runId: string;
  /** Losses of a worker in a row without progress. */
  stalled: number;
  /** How long the run waits; no wait if absent. */
  afterMs?: number;
}

const queueRuns = defineStatement({
  name: "queue_runs",
  params: {
    runIds: array(uuid),
    stalled: array(integer),
    afterMs: array(float8),
    suspectFrom: integer,
    priority: integer,
    channel: text,
  },
  // The worker that has taken the run loses its ticket: what it was taken for is over, or its lease decides who executes it.
  sql: `with queued as (
      insert into run_queue (run_id, workspace_id, priority, run_at, is_later, is_suspect)
      select r.id, r.workspace_id, $5::integer, clock_timestamp() + g.after_ms * interval '1 millisecond', g.after_ms > 0,
        g.stalled >= $4
      from unnest($1::uuid[], $2::integer[], $3::float8[]) as g (id, stalled, after_ms) join runs r on r.id = g.id
      order by r.id
      on conflict (run_id) do update set priority = excluded.priority, run_at = excluded.run_at,
        is_later = excluded.is_later, is_suspect = excluded.is_suspect, attempts = 0, taken_by = null, taken_at = null,
        ticket = null
      returning is_later
    )
    select pg_notify($6, '') where exists (select 1 from queued where not is_later)`,
});

/**
 * Queues runs that have started or been waiting, inside the caller's transaction, and notifies the workers when it
 * commits. A run that seems to end its worker is left to the quarantine worker.
 */
export async function requeueRuns(tx: Db, runs: readonly RequeuedRun[]): Promise<void> {
  await addToQueue(tx, runs, RESUME_PRIORITY);
}

/** Queues a run that has not started, behind the ones of its workspace that were queued before. */
export async function enqueueRun(tx: Db, runId: string): Promise<void> {
  await addToQueue(tx, [{ runId, stalled: 0 }], 0);
}

async function addToQueue(tx: Db, runs: readonly RequeuedRun[], priority: number): Promise<void> {
  if (runs.length === 0) return;
  await queueRuns.run(tx, {
    runIds: runs.map((run) => run.runId),
    stalled: runs.map((run) => run.stalled),
    afterMs: runs.map((run) => run.afterMs ?? 0),
    suspectFrom: SUSPECT_STALLED,
    priority,
    channel: QUEUE_CHANNEL,
  });
}
