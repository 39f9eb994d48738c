import { expect, test } from "vitest";
import { addWorker, takeQueued } from "#lib/domain/runs/execute/held-lease.fixture";
import { addWorkspaceOf, queueSome, takeNext } from "#lib/domain/runs/execute/queued-runs.fixture";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { reconcileRuns } from "#lib/domain/runs/recover/reconcile-runs";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

test("a run that has nothing to execute does not use a slot forever", async () => {
  const nodes = [node("in", "action_input", { properties: [] }), node("out", "return_output", { properties: [] })];
  const workflow = await seedWorkflow(db(), { nodes, edges: edges("in>out") });
  const poolId = await addWorker();
  const runs = new Map<string, string>();
  for (const status of ["accepted", "running", "waiting_for_approval", "cancelled"]) {
    const runId = await seedRun(db(), workflow, { isQueued: true });
    const text = `update runs set status = $2, lease_owner = case when $2 = 'running' then $3 end, claimed_at = now(),
      completed_at = case when $2 = 'cancelled' then now() end where id = $1`;
    await db().query(text, [runId, status, poolId]);
    await takeQueued(runId, poolId);
    runs.set(status, runId);
  }
  const queued = async () =>
    (await db().query("select run_id from run_queue")).rows.map((row) => row.run_id).toSorted();
  await reconcileRuns();
  expect(await queued()).toEqual([...runs.values()].toSorted());
  await db().query("update run_queue set taken_at = now() - interval '1 minute'");
  await reconcileRuns();
  expect(await queued()).toEqual([runs.get("accepted"), runs.get("running")].toSorted());
});

test("the job of a run that is no longer admitted is removed, and only that one", async () => {
  const poolId = await addWorker();
  await db().query("delete from run_queue");
  await queueSome(await addWorkspaceOf(), 4);
  const runs = await takeNext({ poolId });
  const [ended, returned, again, admitted] = runs;
  await db().query("delete from run_queue where run_id = $1", [ended?.runId]);
  await db().query("update run_queue set ticket = null, taken_by = null where run_id = $1", [returned?.runId]);
  await db().query("update run_queue set ticket = nextval('run_queue_tickets') where run_id = $1", [again?.runId]);
  await reconcileRuns();
  const { rows } = await db().query("select id from graphile_worker.jobs where locked_by = $1", [poolId]);
  expect(rows).toEqual([{ id: admitted?.jobId }]);
});

test("an accepted run that is not in the queue is queued again, however many newer runs there are", async () => {
  const workflow = await seedWorkflow(db(), { nodes: [node("in", "action_input", { properties: [] })], edges: [] });
  const made = await seedRun(db(), workflow, { isQueued: false });
  const { rows } = await db().query<{ id: string }>(
    `update runs set id = uuid_floor(now() - interval '1 day'), created_at = now() - interval '1 day' where id = $1
     returning id`,
    [made],
  );
  const lost = rows[0]?.id;
  await db().query(
    `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id, completed_at)
     select new_uuidv7(), workspace_id, workflow_id, workflow_version_id, source, 'succeeded', '{}', '', now()
     from runs, generate_series(1, 20000) where id = $1`,
    [lost],
  );
  const isQueued = async () => (await db().query("select 1 from run_queue where run_id = $1", [lost])).rows.length > 0;
  await reconcileRuns(new Date(30_000));
  expect(await isQueued()).toBe(false);
  await reconcileRuns(new Date(0));
  expect(await isQueued()).toBe(true);
});
