import { expect, test } from "vitest";
import { NO_MASK } from "#lib/core/redaction/mask-texts";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction, countRows } from "#lib/domain/runs/create/call-action.fixture";
import { openSubRuns } from "#lib/domain/runs/create/open-sub-runs";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { raceBehindLock } from "#lib/platform/db/test-race";

useTestDatabase();

test("a sub-run that is committed while its step asks again is found, not created twice", async () => {
  const workspace = await addWorkspace();
  const stage = { workspace, action: await addAction(workspace) };
  const { run } = await callAction(stage);
  const lease = { runId: run.run_id, token: 1 };
  await db().query("update runs set status = 'running', lease_owner = 'pool', lease_token = 1 where id = $1", [
    lease.runId,
  ]);
  const request = { step: "sub:", slug: stage.action.slug, input: { name: "Ada" }, traceparent: "" };
  const open = () => openSubRuns({ workspaceId: workspace.workspaceId, lease, mask: NO_MASK }, [request]);
  const opened = await raceBehindLock(
    { text: "select 1 from runs where id = $1 for no key update", values: [lease.runId] },
    [open, open],
  );
  const [first, second] = opened.map((result) => (result.status === "fulfilled" ? result.value : result.reason));
  expect(first).toMatchObject([{ status: "accepted", isEnded: false }]);
  expect(second).toEqual(first);
  expect(await countRows(stage, "runs", "parent_run_id is not null")).toBe(1);
});
