import { expect, test } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { getTrigger } from "#lib/domain/triggers/activation/get-trigger";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { startFailureRuns } from "#lib/domain/triggers/failures/start-failure-runs";
import { addTrigger, editorIn, runsOf, type TestTrigger } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const ERROR = { code: "TIMEOUT", reason: "step_timeout", message: "too slow", step_id: "slow", step_name: "Slow step" };

/** Starts a run of an action, and returns its id and that of its workflow. */
async function begin(workspace: TestWorkspace, action?: Awaited<ReturnType<typeof addAction>>) {
  const called = action ?? (await addAction(workspace));
  const { run } = await callAction({ workspace, action: called });
  return run.run_id;
}

/** Ends a run as a worker would, in one statement. */
const end = (runId: string, status = "failed", more = "") =>
  db().query({
    text: `update runs set status = $2, error = $3, completed_at = now() ${more} where id = $1`,
    values: [runId, status, status === "succeeded" ? null : ERROR],
  });

async function startAll(): Promise<void> {
  while ((await startFailureRuns()) !== null);
}

async function startedBy(trigger: TestTrigger): Promise<string[]> {
  return (await runsOf(trigger)).map(({ input }) => input.output.run.id);
}

const watchAll = (workspace: TestWorkspace) => addTrigger(workspace, { kind: "failure" });

test("a run that fails or times out starts the workflow once, with what failed", async () => {
  const workspace = await addWorkspace();
  const trigger = await watchAll(workspace);
  const [failed, timedOut, cancelled, succeeded] = await Promise.all([1, 2, 3, 4].map(() => begin(workspace)));
  await end(failed ?? "");
  await end(timedOut ?? "", "timed_out");
  await end(cancelled ?? "", "cancelled");
  await end(succeeded ?? "", "succeeded");
  await startAll();
  await startAll();
  expect((await startedBy(trigger)).toSorted()).toEqual([failed, timedOut].toSorted());
  const [run] = await runsOf(trigger);
  expect(run).toMatchObject({ source: "webhook", status: "accepted", jobs: 1, user_id: workspace.userId });
  expect(run.input.output).toEqual({
    run: {
      id: failed,
      workflow_id: expect.any(String),
      workflow_name: expect.any(String),
      action_slug: expect.any(String),
      source: "action",
      error: { code: "TIMEOUT", message: "too slow", step_id: "slow", step_name: "Slow step" },
      started_at: null,
      completed_at: expect.stringMatching(/Z$/),
      url: `http://localhost:3000/runs/${failed}`,
    },
    timestamp: expect.stringMatching(/Z$/),
  });
  expect(await getTrigger(workspace.workspaceId, trigger.workflowId)).toMatchObject({ kind: "failure", url: null });
});

test("many workers at once start one run for each failure", async () => {
  const workspace = await addWorkspace();
  const trigger = await watchAll(workspace);
  const ids = await Promise.all(Array.from({ length: 20 }, () => begin(workspace)));
  await Promise.all(ids.map((id) => end(id)));
  await Promise.all(Array.from({ length: 8 }, startAll));
  expect((await startedBy(trigger)).toSorted()).toEqual(ids.toSorted());
});

test("a trigger that names workflows starts for their runs alone, and never for those of another workspace", async () => {
  const [workspace, other] = [await addWorkspace(), await addWorkspace()];
  const [named, unnamed, foreign] = [await addAction(workspace), await addAction(workspace), await addAction(other)];
  const trigger = await addTrigger(workspace, { kind: "failure", workflow_ids: [named.workflowId] });
  const runId = await begin(workspace, named);
  for (const id of [runId, await begin(workspace, unnamed), await begin(other, foreign)]) await end(id);
  await startAll();
  expect(await startedBy(trigger)).toEqual([runId]);
});

test("tests of drafts start nothing", async () => {
  const workspace = await addWorkspace();
  const trigger = await watchAll(workspace);
  const runId = await begin(workspace);
  await db().query("update runs set source = 'test' where id = $1", [runId]);
  await end(runId);
  await startAll();
  expect(await startedBy(trigger)).toEqual([]);
});

test("a failure of a failure workflow, or of what it started, starts nothing", async () => {
  const workspace = await addWorkspace();
  const [first, second] = [await watchAll(workspace), await watchAll(workspace)];
  await end(await begin(workspace));
  await startAll();
  const [own] = await runsOf(first);
  const child = await begin(workspace);
  const grandchild = await begin(workspace);
  await db().query("update runs set parent_run_id = $2 where id = $1", [child, own.id]);
  await db().query("update runs set parent_run_id = $2 where id = $1", [grandchild, child]);
  for (const id of [grandchild, child, own.id]) await end(id);
  await startAll();
  expect([await startedBy(first), await startedBy(second)].map(({ length }) => length)).toEqual([1, 1]);
});

test("a paused trigger starts nothing, also for what failed just before", async () => {
  const workspace = await addWorkspace();
  const trigger = await watchAll(workspace);
  await end(await begin(workspace));
  await setTriggerStatus(editorIn(workspace), trigger.workflowId, "paused");
  await end(await begin(workspace));
  await startAll();
  expect(await runsOf(trigger)).toEqual([]);
  expect(
    (await db().query("select from failure_events where workspace_id = $1", [workspace.workspaceId])).rowCount,
  ).toBe(0);
});

test("above the user's limit, the run of the failure fails, and starts no other", async () => {
  const workspace = await addWorkspace();
  const trigger = await watchAll(workspace);
  await end(await begin(workspace));
  // The share of events in the user's hour is used up.
  await db().query(
    `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id, user_id,
       subscription_id)
     select gen_random_uuid(), v.workspace_id, v.workflow_id, v.id, 'webhook', 'accepted', '{}', 'past', $2, $3
     from workflow_versions v, generate_series(1, 80) where v.workflow_id = $1`,
    [trigger.workflowId, workspace.userId, trigger.subscriptionId],
  );
  await startAll();
  const runs = (await runsOf(trigger)).filter(({ status }) => status === "failed");
  expect(runs).toMatchObject([{ jobs: 0, error: { code: expect.stringMatching(/LIMIT/) } }]);
  expect((await db().query("select from failure_events")).rowCount).toBe(0);
});

test("only workflows of the workspace can be named, and not the trigger's own", async () => {
  const [workspace, other] = [await addWorkspace(), await addWorkspace()];
  const foreign = await addAction(other);
  const own = await addAction(workspace);
  await expect(
    addTrigger(workspace, { kind: "failure", workflow_ids: [own.workflowId, foreign.workflowId] }),
  ).rejects.toMatchObject({
    code: "PUBLISH_VALIDATION_FAILED",
    details: [{ field: "workflow_ids.1", message: expect.stringContaining("another workflow of this workspace") }],
  });
  for (const workflow_ids of [[], ["x"]]) {
    await expect(addTrigger(workspace, { kind: "failure", workflow_ids })).rejects.toMatchObject({
      code: "PUBLISH_VALIDATION_FAILED",
    });
  }
});
