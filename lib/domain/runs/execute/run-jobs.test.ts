import { beforeEach, describe, expect, test } from "vitest";
import { type AdmittedRun, admitSuspectRun } from "#lib/domain/runs/execute/admit-runs";
import { addWorker } from "#lib/domain/runs/execute/held-lease.fixture";
import {
  addWorkspaceOf,
  takeNext as admit,
  queueSome as queue,
  requestOfWorker as request,
} from "#lib/domain/runs/execute/queued-runs.fixture";
import { declareDead } from "#lib/domain/runs/recover/declare-dead";
import { listenOn } from "#lib/platform/db/listen";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { RUN_TASK } from "#lib/platform/jobs/payloads";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

beforeEach(async () => {
  await db().query("delete from run_queue; delete from worker_heartbeats; delete from workspaces");
  await db().query("delete from graphile_worker._private_jobs; delete from graphile_worker._private_tasks");
});

async function readJobs() {
  const { rows } = await db().query(
    "select id, task_identifier, locked_by, attempts, max_attempts from graphile_worker.jobs order by id",
  );
  return rows;
}

const jobOf = ({ jobId }: AdmittedRun, poolId: string) => ({
  id: jobId,
  task_identifier: RUN_TASK,
  locked_by: poolId,
  attempts: 1,
  max_attempts: 1,
});
const byId = (one: { id: number }, other: { id: number }) => one.id - other.id;

/** Fetches the next job as graphile-worker does. */
async function fetchJob(poolId: string): Promise<void> {
  await db().query(
    `update graphile_worker._private_jobs set attempts = attempts + 1, locked_by = $1, locked_at = now()
     where id = (select id from graphile_worker._private_jobs where is_available)`,
    [poolId],
  );
}

describe("an admitted run", () => {
  test("is a job that the worker which admitted it has fetched", async () => {
    await queue(await addWorkspaceOf(), 3);
    const runs = await admit();
    expect(runs).toHaveLength(3);
    expect(await readJobs()).toEqual(runs.map((run) => jobOf(run, "here")).toSorted(byId));
  });

  test("is a job when it is suspect", async () => {
    const poolId = await addWorker({ isQuarantine: true });
    await queue(await addWorkspaceOf(), 1);
    await db().query("update run_queue set is_suspect = true");
    const { runs } = await admitSuspectRun(db(), request({ poolId }));
    expect(runs).toHaveLength(1);
    expect(await readJobs()).toEqual(runs.map((run) => jobOf(run, poolId)));
  });

  test("has the same row as a job that graphile-worker adds and fetches", async () => {
    await queue(await addWorkspaceOf(), 1);
    const [run] = await admit();
    await db().query("select graphile_worker.add_job($1, $2::json, max_attempts := 1)", [
      RUN_TASK,
      JSON.stringify({ run_id: run?.runId, ticket: run?.ticket }),
    ]);
    await fetchJob("here");
    const { rows } = await db().query(
      "select to_jsonb(j) - '{id,run_at,created_at,updated_at,locked_at}'::text[] as job from graphile_worker._private_jobs j",
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual(rows[1]);
  });

  test("is announced to no other pool", async () => {
    await queue(await addWorkspaceOf(), 1);
    const client = await db().connect();
    try {
      const heard: string[] = [];
      client.on("notification", ({ channel }) => heard.push(channel));
      await listenOn(client, "jobs:insert");
      await listenOn(client, "test_sentinel");
      await admit();
      await db().query("select pg_notify('test_sentinel', '')");
      await eventually(() => expect(heard).toContain("test_sentinel"));
      expect(heard).toEqual(["test_sentinel"]);
    } finally {
      client.release(true);
    }
  });
});

test("the jobs of a dead worker are removed before its runs get new ones", async () => {
  const poolId = await addWorker();
  await queue(await addWorkspaceOf(), 3);
  await admit({ poolId });
  await declareDead([poolId]);
  expect(await readJobs()).toEqual([]);
  const runs = await admit();
  expect(runs).toHaveLength(3);
  expect(await readJobs()).toEqual(runs.map((run) => jobOf(run, "here")).toSorted(byId));
});
