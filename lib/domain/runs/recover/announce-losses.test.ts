import { expect, test } from "vitest";
import { addWorker, claimed, readRun, takeQueued } from "#lib/domain/runs/execute/held-lease.fixture";
import { RUN_ENDED_CHANNEL } from "#lib/domain/runs/notify/notify-ended-runs";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { declareDead } from "#lib/domain/runs/recover/declare-dead";
import { reconcileRuns } from "#lib/domain/runs/recover/reconcile-runs";
import { sweepWorkers } from "#lib/domain/runs/recover/sweep-workers";
import { listenOn } from "#lib/platform/db/listen";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { flushCounters } from "#lib/platform/metrics/counters";

await openTestDatabase();

const nodes = [node("in", "action_input", { properties: [] }), node("out", "return_output", { properties: [] })];
const workflow = await seedWorkflow(db(), { nodes, edges: edges("in>out") });

async function readCount(action: string): Promise<number> {
  await flushCounters();
  const { rows } = await db().query("select value from metric_counters where labels = $1", [`action="${action}"`]);
  return rows[0]?.value ?? 0;
}

const LOSSES: [string, (poolId: string) => Promise<unknown>][] = [
  ["its supervisor", (poolId) => declareDead([poolId])],
  [
    "the sweeper of another worker",
    async (poolId) => {
      await db().query("update worker_heartbeats set last_seen_at = now() - interval '6 seconds' where pool_id = $1", [
        poolId,
      ]);
      await sweepWorkers(true);
    },
  ],
  [
    "the reconciler",
    async (poolId) => {
      await db().query("update worker_heartbeats set dead_at = now() where pool_id = $1", [poolId]);
      await reconcileRuns();
    },
  ],
];

test.each(LOSSES)("a run that %s ends is counted, and the workers of its sub-runs learn it", async (_, lose) => {
  const before = await readCount("given_up");
  const [poolId, other] = [await addWorker(), await addWorker()];
  const [runId, subRunId] = [await seedRun(db(), workflow), await seedRun(db(), workflow)];
  await takeQueued(runId, poolId);
  await claimed(runId, poolId);
  await db().query("update runs set stalled = 2 where id = $1", [runId]);
  await db().query("update runs set parent_run_id = $2, parent_step = 'sub:', depth = 1 where id = $1", [
    subRunId,
    runId,
  ]);
  await claimed(subRunId, other);
  const listener = await db().connect();
  const heard: (string | undefined)[] = [];
  listener.on("notification", ({ payload }) => heard.push(payload));
  await listenOn(listener, RUN_ENDED_CHANNEL);
  await lose(poolId);
  // A connection receives the notices of earlier transactions before the answer to its next statement.
  await listener.query("select 1");
  listener.release(true);
  expect(heard.toSorted()).toEqual([runId, subRunId].toSorted());
  expect(await readRun(runId)).toMatchObject({ status: "failed", stalled: 3 });
  expect(await readRun(subRunId)).toMatchObject({ status: "cancelled" });
  expect(await readCount("given_up")).toBe(before + 1);
});
