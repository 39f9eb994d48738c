import { beforeEach, expect, test } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import { PLAN_LIMITS } from "#lib/contract/workspace/plans";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { getPlanUsage } from "#lib/domain/usage/get-plan-usage";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { deleteWorkflow } from "#lib/domain/workflows/delete-workflow";
import { emptyDeletedWorkflows } from "#lib/domain/workflows/empty-deleted-workflows";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";
import { greeting, newEditor } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const LIMIT = PLAN_LIMITS.free.storedDefinitionBytes;

let editor: Editor & { userId: string };
beforeEach(async () => {
  editor = await newEditor("ann");
});

const create = () => createWorkflow(editor, { name: "Greeting", description: null, definition: greeting() });
const counted = async () => (await getPlanUsage(editor.workspaceId, editor.userId)).definition_bytes.used;

async function stored(): Promise<number> {
  const { rows } = await db().query(
    `select coalesce(sum(octet_length(d::text)), 0)::int as bytes from (
       select draft as d from workflows where workspace_id = $1
       union all select definition from workflow_versions where workspace_id = $1) d`,
    [editor.workspaceId],
  );
  return rows[0].bytes;
}

/** Counts as if the workspace stored this much less than its plan allows. */
async function leaveRoom(bytes: number): Promise<void> {
  await db().query("update definition_sizes set bytes = $2 where workspace_id = $1", [
    editor.workspaceId,
    LIMIT - bytes,
  ]);
}

function longer(text: string) {
  const definition = greeting();
  const answer = definition.nodes.find((node) => node.id === "answer");
  if (answer) answer.data.properties = [{ name: "text", type: "string", value: text }];
  return definition;
}

test("the count is the size of all drafts and versions, whatever happens to them", async () => {
  expect(await counted()).toBe(0);
  const { workflow_id: workflowId } = await create();
  expect(await counted()).toBe(await stored());
  await deployWorkflow(editor, { workflowId, slug: "greeting" });
  await updateWorkflow(editor.workspaceId, workflowId, { definition: longer("x".repeat(500)) });
  await deployWorkflow(editor, { workflowId });
  expect(await counted()).toBe(await stored());
  await updateWorkflow(editor.workspaceId, workflowId, { definition: longer("x") });
  expect(await counted()).toBe(await stored());
  await deleteWorkflow(editor, workflowId, { archiveAction: true });
  expect(await counted()).toBeGreaterThan(0);
  await db().query("delete from actions where workspace_id = $1", [editor.workspaceId]);
  await db().query("delete from workflows where workspace_id = $1", [editor.workspaceId]);
  expect(await counted()).toBe(0);
});

test("a workspace at its limit can neither create, nor extend, nor publish, and nothing of the attempt is stored", async () => {
  const { workflow_id: workflowId } = await create();
  await leaveRoom(0);
  const before = await stored();
  const attempts = [
    () => create(),
    () => updateWorkflow(editor.workspaceId, workflowId, { definition: longer("x".repeat(500)) }),
    () => deployWorkflow(editor, { workflowId, slug: "greeting" }),
  ];
  for (const attempt of attempts) {
    const error = await errorOf(attempt());
    expect([error.status, error.reason, error.details]).toEqual([
      402,
      "definitions_full",
      { limit: LIMIT, plan: "free" },
    ]);
    expect(error.message).toMatch(/would take 64 MiB, and the plan free allows 64 MiB\. Delete workflows/);
  }
  expect([await counted(), await stored()]).toEqual([LIMIT, before]);
});

test("a workspace above its limit can still shorten, rename and delete its workflows", async () => {
  const { workflow_id: workflowId } = await create();
  await leaveRoom(-1_000_000);
  await updateWorkflow(editor.workspaceId, workflowId, { name: "Renamed" });
  await updateWorkflow(editor.workspaceId, workflowId, { definition: longer("x") });
  await deleteWorkflow(editor, workflowId, { archiveAction: true });
  expect(await counted()).toBeLessThan(LIMIT + 1_000_000);
});

test("a larger plan has more room", async () => {
  await create();
  await leaveRoom(0);
  await db().query("update workspaces set plan = 'starter' where id = $1", [editor.workspaceId]);
  await create();
  expect(await counted()).toBeGreaterThan(LIMIT);
});

test("of several saves at the same moment, only those that fit are stored", async () => {
  await create();
  const size = await stored();
  await leaveRoom(2 * size);
  const made = await Promise.allSettled(Array.from({ length: 5 }, create));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(await counted()).toBe(LIMIT);
});

test("a workflow deleted 30 days ago stops counting once its runs are gone", async () => {
  const { workflow_id: workflowId } = await create();
  await deployWorkflow(editor, { workflowId, slug: "greeting" });
  const { rows } = await db().query(
    `insert into runs (id, workspace_id, workflow_id, workflow_version_id, source, status, input, correlation_id)
     select gen_random_uuid(), workspace_id, workflow_id, id, 'manual', 'accepted', '{}', 'past'
     from workflow_versions where workflow_id = $1 returning id`,
    [workflowId],
  );
  await deleteWorkflow(editor, workflowId, { archiveAction: true });
  const full = await counted();
  const deletedDaysAgo = (days: number) =>
    db().query("update workflows set deleted_at = now() - make_interval(days => $2) where id = $1", [workflowId, days]);
  await deletedDaysAgo(31);
  await emptyDeletedWorkflows();
  expect(await counted()).toBe(full);
  await db().query("delete from runs where id = $1", [rows[0].id]);
  await deletedDaysAgo(29);
  await emptyDeletedWorkflows();
  expect(await counted()).toBe(full);
  await deletedDaysAgo(31);
  await emptyDeletedWorkflows();
  expect(await counted()).toBe(await stored());
  expect(await counted()).toBeLessThan(100);
});

test("a workspace is deleted with its definitions", async () => {
  await create();
  await db().query("delete from workspaces where id = $1", [editor.workspaceId]);
  const { rows } = await db().query("select 1 from definition_sizes where workspace_id = $1", [editor.workspaceId]);
  expect(rows).toEqual([]);
});
