import { array, float8, integer, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { RUN_JOB, SUSPECT_RUN_JOB, SUSPECT_STALLED } from "#lib/platform/jobs/payloads";

/** Before the backlog: a resumed run has waited long enough (behind 2,000 queued runs it took 10 s instead of 5). */
const RESUME_PRIORITY = -10;

export interface RequeuedRun {
  runId: string;
  /** Losses of a worker in a row without progress. */
  stalled: number;
  /** How long the job waits; no wait if absent. */
  afterMs?: number;
}

const addJobs = defineStatement({
  name: "requeue_runs",
  params: {
    runIds: array(uuid),
    stalled: array(integer),
    suspectFrom: integer,
    suspectTask: text,
    task: text,
    attemptsMax: integer,
    priority: integer,
    afterMs: array(float8),
  },
  sql: `select graphile_worker.add_job(case when r.stalled >= $3 then $4 else $5 end,
          json_build_object('run_id', r.id), job_key := 'run:' || r.id, max_attempts := $6, priority := $7,
          run_at := now() + r.after_ms * interval '1 millisecond')
        from unnest($1::uuid[], $2::integer[], $8::float8[]) as r (id, stalled, after_ms)`,
});

/**
 * Queues runs that have started or been waiting, inside the caller's transaction. A run that seems to end its worker
 * gets a separate task, which only the quarantine worker registers. When add_job returns NULL, the key's job is being
 * executed; if that has no effect, the reconciler queues the run.
 */
export async function requeueRuns(tx: Db, runs: readonly RequeuedRun[]): Promise<void> {
  if (runs.length === 0) return;
  await addJobs.run(tx, {
    runIds: runs.map((run) => run.runId),
    stalled: runs.map((run) => run.stalled),
    suspectFrom: SUSPECT_STALLED,
    suspectTask: SUSPECT_RUN_JOB.identifier,
    task: RUN_JOB.identifier,
    attemptsMax: RUN_JOB.max_attempts,
    priority: RESUME_PRIORITY,
    afterMs: runs.map((run) => run.afterMs ?? 0),
  });
}
