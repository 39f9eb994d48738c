import { expect, test } from "vitest";
import type { Caller } from "#lib/api/operations/define/caller";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import type { WebOperations } from "#lib/api/operations/web-operations";
import type { Role } from "#lib/contract/workspace/roles";
import { addTrigger, signStandard } from "#lib/domain/triggers/trigger.fixture";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const workspace = await addWorkspace();
const schedule = await addTrigger(workspace, { kind: "schedule", mode: "interval", seconds: 600 });

/** Calls operations as a member of the workspace, like the web application does. */
async function ask<Name extends keyof WebOperations>(
  name: Name,
  input: WebOperations[Name]["input"],
  role: Role = "editor",
): Promise<WebOperations[Name]["output"]> {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  const caller: Caller = { kind: "user", role, name: "Ada", ...workspace };
  return (await invoke(operation, caller, input, requestContext())) as WebOperations[Name]["output"];
}

test("a viewer can see a trigger and its deliveries but cannot change anything", async () => {
  const input = { workflow_id: schedule.workflowId };
  const { trigger } = await ask("get_trigger", input, "viewer");
  expect(trigger).toMatchObject({
    subscription_id: schedule.subscriptionId,
    kind: "schedule",
    status: "active",
    url: null,
  });
  expect(await ask("list_deliveries", input, "viewer")).toEqual({ data: [], has_more: false, next_cursor: null });
  for (const refused of [
    () => ask("set_trigger_status", { ...input, status: "paused" }, "viewer"),
    () => ask("run_workflow", input, "viewer"),
    () => ask("redeliver_event", { delivery_id: schedule.subscriptionId }, "viewer"),
    () => ask("send_sample_event", { ...input, body: "{}" }, "viewer"),
    () => ask("seal_secret", {}, "viewer"),
  ]) {
    await expect(refused()).rejects.toMatchObject({ code: "FORBIDDEN" });
  }
});

test("an editor can pause a trigger, which the list shows, fire it while it is paused, and resume it", async () => {
  const input = { workflow_id: schedule.workflowId };
  expect(await ask("set_trigger_status", { ...input, status: "paused" })).toMatchObject({
    status: "paused",
    next_at: null,
  });
  expect(await ask("set_trigger_status", { ...input, status: "paused" })).toMatchObject({ status: "paused" });
  const { data } = await ask("list_workflows", { type: "event_driven" });
  expect(data[0]?.trigger).toMatchObject({ kind: "schedule", status: "paused", next_at: null });
  expect(await ask("run_workflow", input)).toMatchObject({ source: "manual", status: "accepted" });
  const resumed = await ask("set_trigger_status", { ...input, status: "active" });
  expect(resumed.next_at).not.toBeNull();
});

test("an editor runs the published version with an event of its trigger, and no event of another form", async () => {
  const webhook = await addTrigger(workspace, { kind: "webhook" });
  const input = { workflow_id: webhook.workflowId };
  const run = await ask("run_workflow", { ...input, event: { body: { order: 7 } } });
  expect(run).toMatchObject({ source: "manual", status: "accepted", dry_run: false });
  expect(run.input).toEqual({ output: { body: { order: 7 }, timestamp: expect.stringMatching(/Z$/) } });
  for (const event of [{}, { order: 7 }]) {
    await expect(ask("run_workflow", { ...input, event })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
});

test("a generated secret is shown once, and the workflow that stores it sealed accepts what it signs", async () => {
  const { secret, sealed } = await ask("seal_secret", {});
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(sealed).not.toContain(secret);
  const trigger = await addTrigger(workspace, { kind: "webhook", secret: sealed, scheme: "standard" });
  const headers = new Headers(signStandard("{}", "msg_1", Date.now(), secret));
  const delivery = deliveryOf({ headers });
  const answer = await receiveWebhook(trigger.subscriptionId, delivery);
  expect(answer.accepted).toBe(true);
  const shown = await ask("get_workflow", { workflow_id: trigger.workflowId });
  expect(JSON.stringify(shown)).not.toContain(secret);
  const typed = await ask("seal_secret", { secret: "of the sender" });
  expect(typed).toEqual({ secret: "of the sender", sealed: expect.stringMatching(/^sealed:/) });
});

test("a workflow that was never activated has no trigger to fire or pause", async () => {
  const { workflow_id } = await ask("create_workflow", { name: "Draft" });
  expect(await ask("get_trigger", { workflow_id })).toEqual({ trigger: null });
  expect((await ask("list_deliveries", { workflow_id })).data).toEqual([]);
  await expect(ask("run_workflow", { workflow_id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(ask("set_trigger_status", { workflow_id, status: "paused" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});
