import { bigint, integer, nullable, text, timestamptz } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { RUN_TASK } from "#lib/platform/jobs/payloads";
import { JOB_STATE } from "#lib/platform/jobs/queue-states";

const JOBS_MAX = 200;

/** A job of graphile-worker. */
const JOB = {
  id: bigint,
  task: text,
  state: text,
  attempts: integer,
  max_attempts: integer,
  run_at: timestamptz,
  last_error: nullable(text),
  /** The pool of the worker that executes it. */
  worker: nullable(text),
};

const selectJobs = defineStatement({
  name: "list_jobs",
  params: { limit: bigint },
  row: JOB,
  // Runs come last, because there may be many.
  sql: `select id, task_identifier as task,
          ${JOB_STATE} as state, attempts::integer, max_attempts::integer, run_at, last_error, locked_by as worker
        from graphile_worker.jobs order by task_identifier = '${RUN_TASK}', locked_at is null, run_at, id limit $1`,
  isPrepared: false,
});

/**
 * Lists the jobs that have not succeeded yet: running ones first, then those that are due first, and then the runs that
 * workers execute; at most 200.
 */
export async function listJobs() {
  return selectJobs.all(db(), { limit: JOBS_MAX });
}
