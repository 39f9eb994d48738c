import type { Db } from "#lib/platform/db/pool";
import { BUILD_JOB, RUN_JOB, runJobKey } from "#lib/platform/jobs/payloads";

interface EnqueueOptions {
  /** Lower runs first; a run that lost its worker goes ahead of the backlog. */
  priority?: number;
  /** `suspect`: only the quarantine worker takes it. */
  flags?: string[];
}

/**
 * Queues the execution of a run inside the caller's transaction, so that a committed run always has its job.
 * graphile_worker.add_job can return NULL under contention on one key; a run's key has no other writer, but a run
 * without a job would be stuck, so NULL is an error that rolls the transaction back.
 */
export async function enqueueRun(tx: Db, runId: string, options: EnqueueOptions = {}): Promise<void> {
  const { rows } = await tx.query<{ id: string | null }>({
    name: "enqueue_run",
    text: `select (graphile_worker.add_job($5, json_build_object('run_id', $1::text), job_key := $2,
             max_attempts := $6, priority := $3, flags := $4)).id`,
    values: [
      runId,
      runJobKey(runId),
      options.priority ?? 0,
      options.flags ?? null,
      RUN_JOB.identifier,
      RUN_JOB.max_attempts,
    ],
  });
  if (!rows[0]?.id) throw new Error(`the job of run ${runId} was not queued`);
}

/** Removes the job of a run that ended before a worker took it. */
export async function removeRunJob(tx: Db, runId: string): Promise<void> {
  await tx.query({ name: "remove_run_job", text: "select graphile_worker.remove_job($1)", values: [runJobKey(runId)] });
}

/** Queues the build of a custom connector inside the transaction that asks for it. */
export async function enqueueBuild(tx: Db, buildId: string): Promise<void> {
  await tx.query({
    text: "select graphile_worker.add_job($2, json_build_object('build_id', $1::text), max_attempts := $3)",
    values: [buildId, BUILD_JOB.identifier, BUILD_JOB.max_attempts],
  });
}
