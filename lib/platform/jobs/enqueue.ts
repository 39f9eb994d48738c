import { array, bigint, integer, nullable, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { BUILD_JOB, RUN_JOB, runJobKey } from "#lib/platform/jobs/payloads";

interface EnqueueOptions {
  /** Lower runs first; a run that lost its worker goes before the backlog. */
  priority?: number;
  /** `suspect`: only the quarantine worker takes it. */
  flags?: string[];
}

const addRunJob = defineStatement({
  name: "enqueue_run",
  params: {
    runId: text,
    key: text,
    priority: integer,
    flags: nullable(array(text)),
    identifier: text,
    attemptsMax: integer,
  },
  row: { id: nullable(bigint) },
  sql: `select (graphile_worker.add_job($5, json_build_object('run_id', $1::text), job_key := $2,
          max_attempts := $6, priority := $3, flags := $4)).id`,
});

/**
 * Queues the execution of a run inside the caller's transaction, so that a committed run always has its job.
 * graphile_worker.add_job can return NULL under contention on one key; a run's key has no other writer, but a run
 * without a job would be stuck, so NULL is an error that rolls the transaction back.
 */
export async function enqueueRun(tx: Db, runId: string, options: EnqueueOptions = {}): Promise<void> {
  const job = await addRunJob.one(tx, {
    runId,
    key: runJobKey(runId),
    priority: options.priority ?? 0,
    flags: options.flags ?? null,
    identifier: RUN_JOB.identifier,
    attemptsMax: RUN_JOB.max_attempts,
  });
  if (!job.id) throw new Error(`the job of run ${runId} was not queued`);
}

const removeJob = defineStatement({
  name: "remove_run_job",
  params: { key: text },
  sql: "select graphile_worker.remove_job($1)",
});

/** Removes the job of a run that ended before a worker took it. */
export async function removeRunJob(tx: Db, runId: string): Promise<void> {
  await removeJob.run(tx, { key: runJobKey(runId) });
}

const addBuildJob = defineStatement({
  name: "enqueue_build",
  params: { buildId: text, identifier: text, attemptsMax: integer },
  sql: "select graphile_worker.add_job($2, json_build_object('build_id', $1::text), max_attempts := $3)",
  isPrepared: false,
});

/** Queues the build of a custom connector inside the transaction that asks for it. */
export async function enqueueBuild(tx: Db, buildId: string): Promise<void> {
  await addBuildJob.run(tx, { buildId, identifier: BUILD_JOB.identifier, attemptsMax: BUILD_JOB.max_attempts });
}
