import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { type JobQueue, startJobQueue } from "#worker/execute/job-queue";

useTestDatabase();

const SLOTS = 4;
/** A queue that waits for its next poll while jobs are left never finishes a test. */
const NEVER_MS = 86_400_000;

const queues: JobQueue[] = [];
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop()));
});

async function addJobs(durations: readonly number[]): Promise<void> {
  await db().query(
    `select graphile_worker.add_jobs(array(
       select row('wait', json_build_object('ms', ms), null, null, null, null, null, null)::graphile_worker.job_spec
         from unnest($1::integer[]) as ms))`,
    [durations],
  );
}

/** Starts workers and resolves with the number of jobs that each has executed when all are done. */
async function drain(jobs: number, workers: number): Promise<number[]> {
  const counts = new Array<number>(workers).fill(0);
  const drained = Promise.withResolvers<void>();
  let left = jobs;
  for (const index of counts.keys()) {
    const wait = async (payload: unknown) => {
      await sleep((payload as { ms: number }).ms);
      counts[index] = (counts[index] ?? 0) + 1;
      left -= 1;
      if (left === 0) drained.resolve();
    };
    queues.push(
      await startJobQueue({
        pool: db(),
        concurrency: SLOTS,
        isFetchingAhead: true,
        pollMs: NEVER_MS,
        tasks: () => ({ wait }),
      }),
    );
  }
  await drained.promise;
  return counts;
}

const MIXES: Record<string, readonly number[]> = {
  "long jobs only": new Array(48).fill(150),
  "short jobs only": new Array(200).fill(1),
  "short jobs behind long ones": [...new Array(12).fill(150), ...new Array(100).fill(1)],
  "every fifth job long": Array.from({ length: 100 }, (_, index) => (index % 5 === 0 ? 150 : 2)),
};

test.each(Object.entries(MIXES))("a worker drains %s without waiting for a poll", async (_, durations) => {
  await addJobs(durations);
  expect(await drain(durations.length, 1)).toEqual([durations.length]);
});

test.each(Object.entries(MIXES))("three workers drain %s without waiting for a poll", async (_, durations) => {
  await addJobs(durations);
  const counts = await drain(durations.length, 3);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(durations.length);
});
