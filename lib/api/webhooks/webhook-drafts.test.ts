import { expect, test } from "vitest";
import { post } from "#lib/api/webhooks/webhook.fixture";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { getTrigger } from "#lib/domain/triggers/activation/get-trigger";
import { setTriggerStatus } from "#lib/domain/triggers/activation/set-trigger-status";
import { getEventTest } from "#lib/domain/triggers/tests/get-event-test";
import { startEventTest } from "#lib/domain/triggers/tests/start-event-test";
import {
  editorIn,
  runsOf,
  STANDARD_SECRET,
  signStandard,
  triggerDefinition,
} from "#lib/domain/triggers/trigger.fixture";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { deleteWorkflow } from "#lib/domain/workflows/delete-workflow";
import { duplicateWorkflow } from "#lib/domain/workflows/duplicate-workflow";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const workspace = await addWorkspace();
const { workspaceId } = workspace;
const editor = editorIn(workspace);

function draft(trigger: { kind: string; [setting: string]: unknown }) {
  return createWorkflow(editor, { name: "Events", description: null, definition: triggerDefinition(trigger) });
}

const idOf = (url: string | undefined) => url?.split("/").at(-1) ?? "";

test("a draft has the address of its webhook as soon as it is created, and keeps it when it is published", async () => {
  const { workflow_id: workflowId, webhook_url: url } = await draft({ kind: "webhook" });
  expect(url).toMatch(/^http:\/\/localhost:3000\/webhooks\/[0-9a-f-]{36}$/);
  await deployWorkflow(editor, { workflowId });
  expect((await getTrigger(workspaceId, workflowId))?.url).toBe(url);
  await updateWorkflow(workspaceId, workflowId, { definition: triggerDefinition({ kind: "webhook", secret: "s" }) });
  await deployWorkflow(editor, { workflowId });
  expect((await getTrigger(workspaceId, workflowId))?.url).toBe(url);
  expect((await getWorkflow(workspaceId, workflowId, 1)).webhook_url).toBe(url);
});

test("a schedule shows no address, and a copy of a workflow has its own", async () => {
  const schedule = await draft({ kind: "schedule", mode: "interval", seconds: 60 });
  expect(schedule).not.toHaveProperty("webhook_url");
  const { workflow_id: workflowId, webhook_url: url } = await draft({ kind: "webhook" });
  const copy = await duplicateWorkflow(editor, workflowId);
  expect(idOf(copy.webhook_url)).toMatch(/^[0-9a-f-]{36}$/);
  expect(copy.webhook_url).not.toBe(url);
});

test("before the first publish the address answers 404, says what to do, and starts no run", async () => {
  const { workflow_id: workflowId, webhook_url: url } = await draft({ kind: "webhook" });
  const refused = await post(idOf(url), "{}");
  expect(refused).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(refused.body.error).toContain("Publish the workflow");
  expect(await runsOf({ workflowId })).toEqual([]);
  await deployWorkflow(editor, { workflowId });
  expect((await post(idOf(url), "{}")).status).toBe(202);
  await setTriggerStatus(editor, workflowId, "paused");
  expect((await post(idOf(url), "{}")).body.error).toBe("There is no such webhook.");
});

test("a deleted draft answers like an address that never existed", async () => {
  const { workflow_id: workflowId, webhook_url: url } = await draft({ kind: "webhook" });
  await deleteWorkflow(editor, workflowId, { archiveAction: false });
  expect((await post(idOf(url), "{}")).body.error).toBe("There is no such webhook.");
});

test("while someone listens, the address takes one genuine event for that person, and starts no run", async () => {
  const trigger = { kind: "webhook", secret: STANDARD_SECRET, scheme: "standard" };
  const { workflow_id: workflowId, webhook_url: url } = await draft(trigger);
  await startEventTest(workspaceId, workflowId);
  expect((await post(idOf(url), '{"order":7}')).status).toBe(401);
  const taken = await post(idOf(url), '{"order":7}', signStandard('{"order":7}', "msg_1"));
  expect(taken).toMatchObject({ status: 202, body: { accepted: true, test: true } });
  expect(await getEventTest(workspaceId, workflowId)).toMatchObject({ output: { body: { order: 7 } } });
  expect((await post(idOf(url), "{}")).status).toBe(404);
  expect(await runsOf({ workflowId })).toEqual([]);
});
