import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction, runRequest, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import { createRun } from "#lib/domain/runs/create/create-run";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { transaction } from "#lib/platform/db/transaction";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

let stage: Stage;
beforeEach(async () => {
  const workspace = await addWorkspace();
  stage = { workspace, action: await addAction(workspace) };
});

/** Returns the stored job without the run's own values and the time. */
async function storedJob(runId: string) {
  const { rows } = await db().query("select * from graphile_worker._private_jobs where key = $1", [`run:${runId}`]);
  const { id, key, payload, run_at, created_at, updated_at, ...rest } = rows[0];
  expect(payload).toEqual({ run_id: runId });
  expect([created_at, updated_at]).toEqual([run_at, run_at]);
  return rest;
}

async function runInTransaction(): Promise<string> {
  const made = await transaction(async (tx) => createRun(await runRequest(stage), tx));
  if (made.outcome !== "created") return expect.fail(made.outcome);
  return made.run.run_id;
}

test("a job without a notice is stored as graphile-worker stores its own", async () => {
  const theirs = await storedJob(await runInTransaction());
  const { run } = await callAction(stage);
  expect(await storedJob(run.run_id)).toEqual(theirs);
});

test("the first run of an instance has its job although no worker has registered the task yet", async () => {
  await db().query("delete from graphile_worker._private_jobs; delete from graphile_worker._private_tasks");
  const { run } = await callAction(stage);
  expect(await storedJob(run.run_id)).toMatchObject({ attempts: 0, is_available: true });
});

test("workers are notified of a job once its run can be read", async () => {
  const listener = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await listener.connect();
  const found = new Set<string>();
  try {
    await listener.query('listen "jobs:insert"');
    listener.on("notification", async () => {
      const { rows } = await db().query("select payload ->> 'run_id' as id from graphile_worker._private_jobs");
      for (const { id } of rows) found.add(id);
    });
    const calls = await Promise.all([callAction(stage), callAction(stage), callAction(stage)]);
    await eventually(() => expect([...found]).toEqual(expect.arrayContaining(calls.map(({ run }) => run.run_id))));
  } finally {
    await listener.end();
  }
});
