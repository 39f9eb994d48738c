import { expect, test } from "vitest";
import type { Plan } from "#lib/contract/workspace/plans";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { getPlanUsage } from "#lib/domain/usage/get-plan-usage";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

/** A workspace with a key, two runs, a dry run, and a run from last month. */
async function usageOf(plan: Plan) {
  const workspace = await addWorkspace(plan);
  const stage = { workspace, action: await addAction(workspace) };
  await addKey(workspace);
  await callAction(stage);
  const { run } = await callAction(stage, { dryRun: true });
  await callAction(stage);
  await db().query(
    `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id, created_at)
     select gen_random_uuid(), workspace_id, workflow_id, workflow_version_id, 'manual', 'accepted', '{}', 'past',
       date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - interval '1 second' from runs where id = $1`,
    [run.run_id],
  );
  return getPlanUsage(workspace.workspaceId, workspace.userId);
}

test("usage shows the plan's limits and what counts against them", async () => {
  const usage = await usageOf("free");
  expect(usage).toMatchObject({
    plan: "free",
    runs: { used: 2, limit: 1_000 },
    keys: { used: 1, limit: 1 },
    members: 1,
    requests_per_window: 60,
  });
  expect(usage.own_runs.limit).toBe(100);
  expect(usage.month).toMatch(/^\d{4}-\d{2}-01$/);
});

test("a plan without limits still shows what was used", async () => {
  expect(await usageOf("business")).toMatchObject({
    runs: { used: 2, limit: null },
    keys: { used: 1, limit: null },
    requests_per_window: 1_000,
  });
});
