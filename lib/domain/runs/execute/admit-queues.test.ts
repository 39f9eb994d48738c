import { beforeEach, expect, test } from "vitest";
import { admitRuns } from "#lib/domain/runs/execute/admit-runs";
import { addWorker } from "#lib/domain/runs/execute/held-lease.fixture";
import { addWorkspaceOf, queueSome, requestOfWorker } from "#lib/domain/runs/execute/queued-runs.fixture";
import { listQueues, listUnservedQueues } from "#lib/domain/workspaces/list-queues";
import { setQueue } from "#lib/domain/workspaces/set-queue";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

beforeEach(async () => {
  await db().query(
    "delete from run_queue; delete from idle_workers; delete from worker_heartbeats; delete from workspaces",
  );
});

async function addIn(queue: string, runs: number): Promise<string> {
  const id = await addWorkspaceOf("business");
  await setQueue(db(), id, queue);
  await queueSome(id, runs);
  return id;
}

const take = (poolId: string, more = {}) =>
  admitRuns(db(), requestOfWorker({ poolId, wanted: 100, slots: 10, ...more }));

async function queuesOf(runIds: string[]): Promise<string[]> {
  const { rows } = await db().query(
    `select distinct w.queue from run_queue q join workspaces w on w.id = q.workspace_id where q.run_id = any($1) order by 1`,
    [runIds],
  );
  return rows.map((row) => row.queue);
}

test("a worker takes the runs of its queues only, and one without queues those of all", async () => {
  await addIn("default", 3);
  await addIn("heavy", 3);
  const heavy = await addWorker({ queues: ["heavy"] });
  const taken = await take(heavy);
  expect(await queuesOf(taken.runs.map((run) => run.runId))).toEqual(["heavy"]);
  const rest = await take(await addWorker());
  expect(await queuesOf(rest.runs.map((run) => run.runId))).toContain("default");
});

test("a worker does not look again for runs that wait in other queues", async () => {
  await addIn("default", 5);
  const heavy = await addWorker({ queues: ["heavy"] });
  expect(await take(heavy)).toMatchObject({ runs: [], hasMore: false });
  await addIn("heavy", 1);
  expect(await take(heavy, { wanted: 0 })).toMatchObject({ runs: [], hasMore: true });
  expect(await take(heavy)).toMatchObject({ runs: [{}], hasMore: false });
});

test("runs and slots of workers in other queues do not reduce a worker's room", async () => {
  const others = await addWorker({ queues: ["default"], slots: 10 });
  await addIn("default", 50);
  await addIn("default", 50);
  expect((await take(others)).runs.length).toBeGreaterThan(5);
  await addIn("heavy", 50);
  await addIn("heavy", 50);
  const heavy = await addWorker({ queues: ["heavy"], slots: 10 });
  const { runs } = await take(heavy);
  expect(runs.length).toBeGreaterThan(5);
  expect(runs.length).toBeLessThanOrEqual(10);
});

test("waiting runs move with their workspace to another queue", async () => {
  const id = await addIn("default", 1);
  const heavy = await addWorker({ queues: ["heavy"] });
  expect((await take(heavy)).runs).toEqual([]);
  await setQueue(db(), id, "heavy");
  expect((await take(heavy)).runs).toHaveLength(1);
});

test("a queue that no live worker serves is named, with its runs and how long they wait", async () => {
  await addIn("default", 1);
  await addIn("heavy", 2);
  await addWorker({ queues: ["default"] });
  await addWorker({ queues: ["heavy"], silentSeconds: 60 });
  await addWorker({ isQuarantine: true });
  expect(await listUnservedQueues()).toEqual(["heavy"]);
  expect(await listQueues()).toMatchObject([
    { queue: "default", workspaces: 1, workers: 1, waiting: 1 },
    { queue: "heavy", workspaces: 1, workers: 0, waiting: 2 },
  ]);
  await addWorker();
  expect(await listUnservedQueues()).toEqual([]);
});

test("the database refuses a name that no worker could serve", async () => {
  const id = await addWorkspaceOf();
  await expect(setQueue(db(), id, "a,b")).rejects.toMatchObject({ code: "23514" });
});
