import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction, runRequest, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import { createRun } from "#lib/domain/runs/create/create-runs";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db, transaction } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { QUEUE_CHANNEL } from "#lib/platform/jobs/announce-jobs";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

let stage: Stage;
beforeEach(async () => {
  const workspace = await addWorkspace();
  stage = { workspace, action: await addAction(workspace) };
});

async function queuedRow(runId: string) {
  const { rows } = await db().query("select * from run_queue where run_id = $1", [runId]);
  const { run_id, run_at, ...rest } = rows[0];
  expect(run_id).toBe(runId);
  return rest;
}

async function runInTransaction(): Promise<string> {
  return (await transaction(async (tx) => createRun(await runRequest(stage), tx))).run_id;
}

test("a run is queued the same by its own statement and in a transaction of the caller", async () => {
  const { run } = await callAction(stage);
  expect(await queuedRow(run.run_id)).toEqual(await queuedRow(await runInTransaction()));
});

test("workers are notified of a queued run once it can be taken", async () => {
  const listener = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await listener.connect();
  const found = new Set<string>();
  try {
    await listener.query(`listen ${QUEUE_CHANNEL}`);
    listener.on("notification", async () => {
      const { rows } = await db().query("select run_id as id from run_queue");
      for (const { id } of rows) found.add(id);
    });
    const calls = await Promise.all([callAction(stage), callAction(stage), callAction(stage)]);
    await eventually(() => expect([...found]).toEqual(expect.arrayContaining(calls.map(({ run }) => run.run_id))));
  } finally {
    await listener.end();
  }
});
