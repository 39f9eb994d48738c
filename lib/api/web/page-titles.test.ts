import { expect, test } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { findRunSubject } from "#lib/domain/runs/read/find-run-subject";
import { findWorkflowName } from "#lib/domain/workflows/find-workflow-name";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

test("titles name what a page shows, only in its own workspace, and an id that is none has no title", async () => {
  const workspace = await addWorkspace();
  const action = await addAction(workspace);
  const { run } = await callAction({ workspace, action });
  const { rows } = await db().query("select id, name from workflows where workspace_id = $1", [workspace.workspaceId]);
  const stranger = (await addWorkspace()).workspaceId;
  expect(await findRunSubject(workspace.workspaceId, run.run_id)).toBe(action.slug);
  expect(await findWorkflowName(workspace.workspaceId, rows[0].id)).toBe(rows[0].name);
  expect(await findRunSubject(stranger, run.run_id)).toBeNull();
  expect(await findWorkflowName(stranger, rows[0].id)).toBeNull();
  expect(await findWorkflowName(workspace.workspaceId, "new")).toBeNull();
});
