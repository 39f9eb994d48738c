import { afterEach, expect, test, vi } from "vitest";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { listJobs } from "#lib/platform/jobs/list-jobs";
import { BUILD_JOB } from "#lib/platform/jobs/payloads";
import { eventually } from "#lib/support/eventually.fixture";
import { uuidv7 } from "#lib/support/ids";
import { CRON_TASK_NAMES } from "#worker/chores/cron-tasks";
import { type JobQueue, startJobQueue } from "#worker/execute/job-queue";

useTestDatabase();

let queues: JobQueue[] = [];
afterEach(async () => {
  await Promise.all(queues.map((queue) => queue.stop()));
  queues = [];
});

const startQueue = async () => queues.push(await startJobQueue(db(), {}));
const allJobsEnded = () => eventually(async () => expect(await listJobs()).toEqual([]));

test("jobs delete old sessions and mail counts without loading Prisma, which takes 75 MB of an idle worker", async () => {
  const { workspaceId, userId } = await addWorkspace();
  for (const days of [1, 9]) {
    const at = [uuidv7(), userId, days];
    await db().query(
      `insert into user_sessions (id, user_id, method, user_agent, address, last_seen_at)
       values ($1, $2, 'password', '', '', now() - make_interval(days => $3))`,
      at,
    );
    await db().query(
      `insert into invite_mails (id, workspace_id, email, created_at)
       values ($1, $2, 'a@example.com', now() - make_interval(hours => $3))`,
      [uuidv7(), workspaceId, days * 5],
    );
  }
  // Undoes the fixture's use of Prisma.
  Reflect.deleteProperty(globalThis, Symbol.for("signalbox.prisma"));
  await startQueue();
  await eventually(async () => {
    const { rows } = await db().query(
      "select (select count(*) from user_sessions) + (select count(*) from invite_mails) as n",
    );
    expect(rows).toEqual([{ n: 2 }]);
  });
  await allJobsEnded();
  expect(Reflect.has(globalThis, Symbol.for("signalbox.prisma"))).toBe(false);
});

test("workers that start at the same time add the job of a task once", async () => {
  await db().query(
    `insert into graphile_worker._private_tasks (identifier) select unnest($1::text[]) on conflict do nothing`,
    [CRON_TASK_NAMES],
  );
  await Promise.all([startQueue(), startQueue(), startQueue()]);
  const jobs = await listJobs();
  expect(jobs.map(({ task }) => task).sort()).toEqual([...CRON_TASK_NAMES].sort());
  await allJobsEnded();
});

test("a job that fails shows its error until it is due again, and is not repeated before", async () => {
  await db().query("alter table key_requests rename to key_requests_away");
  try {
    await startQueue();
    await eventually(async () =>
      expect(await listJobs()).toEqual([
        {
          id: expect.any(Number),
          task: "keep_house",
          state: "failed",
          attempts: 1,
          max_attempts: 1,
          run_at: expect.any(Date),
          last_error: expect.stringContaining('relation "key_requests" does not exist'),
          worker: null,
        },
      ]),
    );
  } finally {
    await db().query("alter table key_requests_away rename to key_requests");
  }
  // As cron does it, and the next worker that starts.
  await startQueue();
  await allJobsEnded();
});

test("what is not done at the start of a worker is done when a job of its task is added", async () => {
  await startQueue();
  await allJobsEnded();
  const { userId } = await addWorkspace();
  await db().query(
    `insert into user_sessions (id, user_id, method, user_agent, address, last_seen_at)
     values ($1, $2, 'password', '', '', now() - interval '9 days')`,
    [uuidv7(), userId],
  );
  await db().query("select graphile_worker.add_job('keep_house', job_key := 'keep_house')");
  await eventually(async () => {
    expect((await db().query("select 1 from user_sessions where user_id = $1", [userId])).rowCount).toBe(0);
  });
});

test("a job that fails is logged once per attempt, and what it throws is stored without secrets", async () => {
  const secret = `svc_${"a1".repeat(16)}`;
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const fail = async () => {
      throw new Error(`refused\u0000: Bearer ${secret} of ann@example.com`);
    };
    queues.push(await startJobQueue(db(), { [BUILD_JOB.identifier]: fail }));
    // One of them deletes failed jobs.
    await allJobsEnded();
    await db().query("select graphile_worker.add_job($1, max_attempts := 1)", [BUILD_JOB.identifier]);
    const last_error = "refused\ufffd: Bearer [REDACTED] of [REDACTED_EMAIL]";
    await eventually(async () => expect(await listJobs()).toMatchObject([{ state: "failed", last_error }]));
    const lines = write.mock.calls.map(([line]) => String(line)).filter((line) => line.includes("refused"));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 50,
        msg: "a job failed",
        task: BUILD_JOB.identifier,
        attempt: 1,
        attempts_max: 1,
        err: expect.objectContaining({ message: last_error }),
      }),
    ]);
    expect(lines.join()).not.toMatch(/svc_|example\.com/);
  } finally {
    write.mockRestore();
  }
});
