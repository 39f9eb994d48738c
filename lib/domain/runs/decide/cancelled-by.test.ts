import { beforeEach, expect, test } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import { cancelRun } from "#lib/domain/runs/decide/cancel-run";
import { ANN } from "#lib/domain/runs/execute/held-run.fixture";
import { getRun } from "#lib/domain/runs/read/get-run";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

let stage: Stage;
beforeEach(async () => {
  const workspace = await addWorkspace();
  stage = { workspace, action: await addAction(workspace) };
});

const KEY = { type: "api_key", id: "01900000-0000-7000-8000-000000000000", name: "CI" } as const;

async function newRun() {
  const { run } = await callAction(stage);
  return { workspaceId: stage.workspace.workspaceId, runId: run.run_id, actionSlugs: null };
}

async function cancelledBy(runId: string) {
  const { run } = await getRun(stage.workspace.workspaceId, runId, {
    steps: "full",
    withEvents: false,
    actionSlugs: null,
  });
  return run.cancelled_by;
}

test("a cancelled run names the person or the key that cancelled it, and a second cancel changes nothing", async () => {
  const run = await newRun();
  expect(await cancelledBy(run.runId)).toBeUndefined();
  const { run: shown } = await cancelRun(run, KEY);
  expect(shown.cancelled_by).toEqual(KEY);
  await cancelRun(run, ANN);
  expect(await cancelledBy(run.runId)).toEqual(KEY);
});
