import { expect, test } from "vitest";
import { addWorker, claimed } from "#lib/domain/runs/execute/held-lease.fixture";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { freeRuns } from "#worker/supervise/free-runs";
import { closeSupervisor } from "#worker/supervise/supervisor";

useTestDatabase();

test("a launcher reports the runs that lost three workers, and its counts are stored when it ends", async () => {
  const nodes = [node("in", "action_input", { properties: [] }), node("out", "return_output", { properties: [] })];
  const runId = await seedRun(db(), await seedWorkflow(db(), { nodes, edges: edges("in>out") }));
  const reports: string[] = [];
  for (let loss = 1; loss <= 3; loss += 1) {
    const poolId = await addWorker();
    await claimed(runId, poolId);
    await freeRuns([poolId], { name: "worker 1", report: (text) => reports.push(text) });
  }
  expect(reports).toEqual([`worker 1: these runs failed because they lost three workers: ${runId}`]);
  await closeSupervisor();
  const { rows } = await db().query("select labels, value from metric_counters order by labels");
  expect(rows).toEqual([
    { labels: 'action="given_up"', value: 1 },
    { labels: 'action="resumed"', value: 2 },
  ]);
});
