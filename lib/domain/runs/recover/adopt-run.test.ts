import { beforeAll, expect, test } from "vitest";
import { addWorker, claimed, readRun } from "#lib/domain/runs/execute/held-lease.fixture";
import { edges, node, type SeededWorkflow, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { adoptRun } from "#lib/domain/runs/recover/adopt-run";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

let workflow: SeededWorkflow;
beforeAll(async () => {
  const nodes = [node("in", "action_input", { properties: [] }), node("out", "return_output", { properties: [] })];
  workflow = await seedWorkflow(db(), { nodes, edges: edges("in>out") });
});

test("a run that an older version queued with graphile-worker moves to the queue, once", async () => {
  const runId = await seedRun(db(), workflow, { isQueued: false });
  await adoptRun(db(), runId);
  await adoptRun(db(), runId);
  expect(await readRun(runId)).toMatchObject({ status: "accepted", queued: "run", taken_by: null });
});

test("a suspect run of an older version is left to the quarantine worker", async () => {
  const runId = await seedRun(db(), workflow, { isQueued: false });
  await db().query("update runs set stalled = 2 where id = $1", [runId]);
  await adoptRun(db(), runId);
  expect(await readRun(runId)).toMatchObject({ queued: "suspect" });
});

test("a run that ended, waits for approval or is executed does not move to the queue", async () => {
  const executed = await seedRun(db(), workflow, { isQueued: false });
  await claimed(executed, await addWorker());
  const ended = await seedRun(db(), workflow, { isQueued: false });
  await db().query("update runs set status = 'cancelled', completed_at = now() where id = $1", [ended]);
  const waiting = await seedRun(db(), workflow, { isQueued: false });
  await db().query("update runs set status = 'waiting_for_approval' where id = $1", [waiting]);
  for (const runId of [executed, ended, waiting]) {
    await adoptRun(db(), runId);
    expect(await readRun(runId)).toMatchObject({ queued: null });
  }
});
