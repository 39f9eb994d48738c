import { afterEach, expect, test } from "vitest";
import { node, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { startTestWorker, type TestWorker, until } from "#worker/supervise/worker-process.fixture";

useTestDatabase();

let workers: TestWorker[] = [];
afterEach(async () => {
  for (const worker of workers) worker.child.kill("SIGKILL");
  await Promise.all(workers.map((worker) => worker.exited));
  workers = [];
});

test("workers delete runs beyond their retention in batches, and never an open run", async () => {
  const { workspaceId, workflowId, versionId } = await seedWorkflow(db(), {
    nodes: [node("in", "action_input")],
    edges: [],
  });
  await db().query(
    `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, input, correlation_id, status, created_at,
       completed_at)
     select gen_random_uuid(), $1, $2, $3, 'action', '{}', 'x', case when i <= 1200 then 'failed' else 'waiting_for_approval' end,
       now() - interval '31 days', case when i <= 1200 then now() - interval '31 days' end
     from generate_series(1, 1201) i`,
    [workspaceId, workflowId, versionId],
  );
  workers = await Promise.all([startTestWorker(), startTestWorker()]);
  const left = await until("1200 runs to be deleted", async () => {
    const { rows } = await db().query("select status from runs");
    return rows.length === 1 && rows;
  });
  expect(left).toEqual([{ status: "waiting_for_approval" }]);
  const said = workers.flatMap((worker) =>
    [...worker.output().matchAll(/"runs":(\d+)/g)].map((match) => Number(match[1])),
  );
  expect(said.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1_200);
  expect(Math.max(...said)).toBeLessThanOrEqual(500);
});
