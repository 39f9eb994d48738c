import { beforeEach, describe, expect, test } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { callAction, countRows, type Stage } from "#lib/domain/runs/create/call-action.fixture";
import { replayRun } from "#lib/domain/runs/create/replay-run";
import { openSubRun } from "#lib/domain/runs/create/sub-run.fixture";
import { setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

let stage: Stage;
let limited: { apiKeyId: string; allowedSlugs: string[] };
beforeEach(async () => {
  const workspace = await addWorkspace();
  stage = { workspace, action: await addAction(workspace, { slug: "refund" }) };
  for (const slug of ["notify", "pay-out"]) await addAction(workspace, { slug });
  const allowedSlugs = ["refund", "notify"];
  limited = { apiKeyId: (await addKey(workspace, { actionSlugs: allowedSlugs })).key_id, allowedSlugs };
});

/** Executes a sub_workflow step of a run. */
async function openStep(runId: string, slug: string, step = "sub:") {
  await db().query(
    "update runs set status = 'running', completed_at = null, lease_owner = 'pool', lease_token = 1 where id = $1",
    [runId],
  );
  const run = { workspaceId: stage.workspace.workspaceId, lease: { runId, token: 1 } };
  return openSubRun(run, { step, slug, input: { name: "Ada" }, traceparent: "" });
}

const REFUSED = {
  code: "VALIDATION_ERROR",
  reason: "action_not_allowed",
  message:
    "The API key that started this run cannot run the action pay-out. Use a key that includes pay-out, or remove the step.",
};

async function replay(runId: string, more: { actionSlugs?: string[]; apiKeyId?: string } = {}): Promise<string> {
  await setRun(runId, "failed");
  const actor = { type: "user", id: stage.workspace.userId, name: "Ann" } as const;
  return (await replayRun({ ...stage.workspace, runId, actionSlugs: null, actor, ...more })).run_id;
}

describe("a sub-workflow step of a run that a limited key started", () => {
  test("fails if its action is outside the key's list, and starts nothing; an action of the list runs", async () => {
    const { run } = await callAction(stage, limited);
    expect(await errorOf(openStep(run.run_id, "pay-out"))).toMatchObject(REFUSED);
    expect(await countRows(stage, "runs", "parent_run_id is not null")).toBe(0);
    expect(await openStep(run.run_id, "notify", "other:")).toMatchObject({ status: "accepted" });
  });

  test("fails in a sub-run, and in the sub-runs of that", async () => {
    const { run } = await callAction(stage, limited);
    const child = await openStep(run.run_id, "notify");
    const grandchild = await openStep(child.runId, "refund");
    for (const { runId } of [child, grandchild]) {
      expect(await errorOf(openStep(runId, "pay-out", "again:"))).toMatchObject(REFUSED);
    }
  });

  test("fails the same way for an action that does not exist", async () => {
    const { run } = await callAction(stage, limited);
    expect(await errorOf(openStep(run.run_id, "missing"))).toMatchObject({ reason: "action_not_allowed" });
  });

  test("fails when the step is retried", async () => {
    const { run } = await callAction(stage, limited);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await errorOf(openStep(run.run_id, "pay-out"))).toMatchObject(REFUSED);
    }
  });

  test("fails in a replay by a person, and in a replay of that replay after the original is gone", async () => {
    const { run } = await callAction(stage, limited);
    const first = await replay(run.run_id);
    const second = await replay(first);
    await db().query("update runs set resume_from_run_id = null where id = $1", [second]);
    for (const runId of [first, second]) expect(await errorOf(openStep(runId, "pay-out"))).toMatchObject(REFUSED);
  });

  test("fails in a limited key's replay of a run without a limit", async () => {
    const { run } = await callAction(stage);
    const runId = await replay(run.run_id, { actionSlugs: limited.allowedSlugs, apiKeyId: limited.apiKeyId });
    expect(await errorOf(openStep(runId, "pay-out"))).toMatchObject(REFUSED);
  });

  test("fails in a run that was created before its limit was stored", async () => {
    const { run } = await callAction(stage, { apiKeyId: limited.apiKeyId });
    expect(await errorOf(openStep(run.run_id, "pay-out"))).toMatchObject(REFUSED);
  });
});

test("a sub-workflow step of a run without a limited key runs any action", async () => {
  const { run } = await callAction(stage);
  expect(await openStep(run.run_id, "pay-out")).toMatchObject({ status: "accepted" });
});
