import { expect, test } from "vitest";
import { MACHINE_REASONS, RUN_ERROR_REASONS } from "#lib/contract/error/error-reasons";
import { addAction } from "#lib/domain/actions/action.fixture";
import { listActionActivity } from "#lib/domain/actions/list-action-activity";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

test("counts calls, failures and durations of seven days; dry runs and failures of the machine are calls that neither fail nor take time", async () => {
  const workspace = await addWorkspace();
  const action = await addAction(workspace);
  const idle = await addAction(workspace);
  const call = async (status: string, seconds: number, age = "1 hour") => {
    const { run } = await callAction({ workspace, action }, { input: { name: "Ada" } });
    await db().query(
      `update runs set status = $2, created_at = now() - $4::interval, started_at = now() - $4::interval,
         completed_at = now() - $4::interval + $3 * interval '1 second' where id = $1`,
      [run.run_id, status, seconds, age],
    );
  };
  for (const status of ["succeeded", "succeeded", "failed", "timed_out"]) await call(status, 2);
  await call("cancelled", 9);
  await call("failed", 9, "8 days");
  await callAction({ workspace, action }, { input: { name: "Ada" }, dryRun: true });
  for (const reason of MACHINE_REASONS) {
    const { run } = await callAction({ workspace, action }, { input: { name: "Ada" } });
    const error = { code: RUN_ERROR_REASONS[reason].code, reason, message: "" };
    await db().query("update runs set status = 'failed', error = $2, completed_at = now() where id = $1", [
      run.run_id,
      error,
    ]);
  }
  const slugs = [action.slug, idle.slug, "unknown"];
  const { data } = await listActionActivity(workspace.workspaceId, slugs);
  expect(data).toHaveLength(2);
  expect(data).toContainEqual({ slug: action.slug, calls: 8, has_more: false, error_rate: 0.5, p95_ms: 2000 });
  expect(data).toContainEqual({ slug: idle.slug, calls: 0, has_more: false, error_rate: null, p95_ms: null });
  expect((await listActionActivity((await addWorkspace()).workspaceId, slugs)).data).toEqual([]);
});
