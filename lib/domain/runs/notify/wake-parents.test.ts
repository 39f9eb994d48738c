import { expect, onTestFinished, test } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { openSubRun } from "#lib/domain/runs/create/sub-run.fixture";
import { parkRun } from "#lib/domain/runs/execute/park-run";
import { wakeParents } from "#lib/domain/runs/notify/wake-parents";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

test("a parent that is being parked while its sub-run ends is woken, whichever of the two comes first", async () => {
  const workspace = await addWorkspace();
  const action = await addAction(workspace);
  const { run } = await callAction({ workspace, action });
  const lease = { runId: run.run_id, token: 1 };
  await db().query("update runs set status = 'running', lease_owner = 'pool', lease_token = 1 where id = $1", [
    lease.runId,
  ]);
  const request = { step: "sub:", slug: action.slug, input: { name: "Ada" }, traceparent: "" };
  const { runId: childId } = await openSubRun({ workspaceId: workspace.workspaceId, lease }, request);
  await db().query("delete from run_queue");

  // The parent has checked, found nothing, and is about to commit that it is parked.
  const parking = await db().connect();
  onTestFinished(() => parking.release(true));
  await parking.query("begin");
  await parking.query("update runs set lease_owner = null, lease_token = 2 where id = $1", [lease.runId]);
  await db().query("update runs set status = 'succeeded', completed_at = now() where id = $1", [childId]);
  const waking = wakeParents(db(), [childId]);
  await eventually(async () => {
    const { rows } = await db().query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rows).toHaveLength(1);
  });
  await parking.query("commit");
  await waking;
  expect(await queued()).toEqual([lease.runId]);

  // Parked after its sub-run has ended, the parent sees that itself.
  await db().query("delete from run_queue");
  await db().query("update runs set lease_owner = 'pool', claimed_at = now() where id = $1", [lease.runId]);
  await parkRun({ runId: lease.runId, token: 2 }, { waits: [{ kind: "run", runId: childId }], journalBytes: 0 });
  expect(await queued()).toEqual([lease.runId]);
});

async function queued(): Promise<string[]> {
  const { rows } = await db().query<{ id: string }>("select run_id as id from run_queue where ticket is null");
  return rows.map((row) => row.id);
}
