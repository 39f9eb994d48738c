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
  params: { buildId: text, workspaceId: text, openBuilds: integer, identifier: text, attemptsMax: integer },
  sql: `select graphile_worker.add_job($4, json_build_object('build_id', $1::text), queue_name := 'builds:' || $2,
          priority := $3, max_attempts := $5)`,
  isPrepared: false,
});

/**
 * Queues the build of a custom connector inside the transaction that asks for it. All workers together run one build of
 * a workspace at a time. The more builds a workspace has open, the later the next one comes, so that a workspace with
 * one build overtakes one with many.
 * @param openBuilds builds of the workspace that have not ended
 */
export async function enqueueBuild(
  tx: Db,
  build: { buildId: string; workspaceId: string; openBuilds: number },
): Promise<void> {
  const { identifier, max_attempts: attemptsMax } = BUILD_JOB;
  await addBuildJob.run(tx, { ...build, identifier, attemptsMax });
}
