import { array, integer, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { BUILD_JOB } from "#lib/platform/jobs/payloads";

const removeFromQueue = defineStatement({
  name: "dequeue_runs",
  params: { runIds: array(uuid) },
  // In one order, so that two callers that remove the same runs never deadlock.
  sql: `delete from run_queue where run_id in (
          select run_id from run_queue where run_id = any($1::uuid[]) order by run_id for update)`,
});

/** Removes runs from the queue that have ended, or that wait for something which queues them again. */
export async function dequeueRuns(tx: Db, runIds: readonly string[]): Promise<void> {
  if (runIds.length > 0) await removeFromQueue.run(tx, { runIds });
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
