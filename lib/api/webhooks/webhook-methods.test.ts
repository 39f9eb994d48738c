import { expect, test } from "vitest";
import { request } from "#lib/api/webhooks/webhook.fixture";
import { WEBHOOK_METHODS } from "#lib/contract/trigger/trigger";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getEventTest } from "#lib/domain/triggers/tests/get-event-test";
import { startEventTest } from "#lib/domain/triggers/tests/start-event-test";
import { addTrigger, editorIn, republish, runsOf, triggerDefinition } from "#lib/domain/triggers/trigger.fixture";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const workspace = await addWorkspace();
const open = (more: JsonObject = {}) => addTrigger(workspace, { kind: "webhook", ...more });
const bodiesOf = async (trigger: { workflowId: string }) =>
  (await runsOf(trigger)).map(({ input }) => input.output.body);

test("a webhook starts runs by POST alone, unless it names other methods", async () => {
  const trigger = await open();
  for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const refused = await request(method, `/webhooks/${trigger.subscriptionId}`);
    expect([refused.status, refused.headers.get("allow")], method).toEqual([405, "POST"]);
  }
  expect((await request("POST", `/webhooks/${trigger.subscriptionId}`)).status).toBe(202);
  expect(await runsOf(trigger)).toHaveLength(1);
});

test("a webhook takes each method that it names, at once after it is published, and names them to others", async () => {
  const trigger = await open();
  const path = `/webhooks/${trigger.subscriptionId}`;
  expect((await request("POST", path, { body: "0" })).status).toBe(202);
  expect((await request("PUT", path, { body: "1" })).status).toBe(405);
  await republish(workspace, trigger, { kind: "webhook", methods: ["PUT", "PATCH", "DELETE"] });
  expect((await request("PUT", path, { body: "1" })).status).toBe(202);
  expect((await request("PATCH", path, { body: "2" })).status).toBe(202);
  expect((await request("DELETE", path)).status).toBe(202);
  const refused = await request("POST", path, { body: "3" });
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "PUT, PATCH, DELETE"]);
  expect(await bodiesOf(trigger)).toEqual([0, 1, 2, null]);
});

test("the body of a GET request is its query, read like a form, and the same query starts a run each time", async () => {
  const trigger = await open({ methods: ["GET"], secret: "s3cret", scheme: "custom", verification: TOKEN });
  const path = `/webhooks/${trigger.subscriptionId}`;
  expect((await request("GET", `${path}?name=Ada`)).status).toBe(401);
  const headers = { "x-token": "s3cret" };
  for (const query of ["?name=Ada+L&tag=a&tag=b&at[city]=K%C3%B6ln", "?name=Ada", "?name=Ada", ""]) {
    expect((await request("GET", path + query, { headers })).status, query).toBe(202);
  }
  expect(await bodiesOf(trigger)).toEqual([
    { name: "Ada L", tag: ["a", "b"], at: { city: "Köln" } },
    { name: "Ada" },
    { name: "Ada" },
    null,
  ]);
});

const TOKEN = { type: "token", token: { header: "x-token" } };

test("a test event can come by a method that the draft names, also to the address of the trigger", async () => {
  const draft = await createWorkflow(editorIn(workspace), {
    name: "Draft",
    description: null,
    definition: triggerDefinition({ kind: "webhook", methods: ["GET"] }),
  });
  const { workspaceId } = workspace;
  const { url } = await startEventTest(workspaceId, draft.workflow_id);
  expect((await request("POST", url, { body: "{}" })).status).toBe(405);
  expect((await request("GET", `${url}?n=1`)).status).toBe(202);
  expect(await getEventTest(workspaceId, draft.workflow_id)).toMatchObject({ output: { body: { n: "1" } } });
  await startEventTest(workspaceId, draft.workflow_id);
  expect((await request("GET", `${draft.webhook_url}?n=2`)).status).toBe(202);
  expect(await getEventTest(workspaceId, draft.workflow_id)).toMatchObject({ output: { body: { n: "2" } } });
});

test("a webhook names at least one method, and no other than those that can start runs", async () => {
  for (const methods of [[], ["HEAD"], ["get"], "GET"]) {
    await expect(open({ methods })).rejects.toMatchObject({ code: "PUBLISH_VALIDATION_FAILED" });
  }
  await open({ methods: [...WEBHOOK_METHODS] });
});

test("the time that a sender waits is bounded", async () => {
  for (const wait_seconds of [0, 26, 1.5]) {
    await expect(open({ respond: "result", wait_seconds })).rejects.toMatchObject({
      details: [{ field: "wait_seconds", message: expect.stringContaining("whole number from 1 to 25") }],
    });
  }
  const trigger = await open({ respond: "result", wait_seconds: 1 });
  // No worker runs here, so the time passes.
  const answer = await request("POST", `/webhooks/${trigger.subscriptionId}`, { body: "{}" });
  expect(answer.status).toBe(202);
  expect(JSON.parse(answer.text)).toEqual({ accepted: true, run_id: expect.any(String) });
});
