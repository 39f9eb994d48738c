import { beforeEach, expect, test } from "vitest";
import { testWebhookRoute } from "#lib/api/webhooks/answer-webhook";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { forgetTestEvents } from "#lib/domain/triggers/tests/forget-test-events";
import { getEventTest } from "#lib/domain/triggers/tests/get-event-test";
import { startEventTest } from "#lib/domain/triggers/tests/start-event-test";
import { stopEventTest } from "#lib/domain/triggers/tests/stop-event-test";
import {
  editorIn,
  runsOf,
  STANDARD_SECRET,
  signStandard,
  triggerDefinition,
} from "#lib/domain/triggers/trigger.fixture";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { sealText } from "#lib/platform/secrets/seal-text";

useTestDatabase();

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await addWorkspace();
});

/** A draft that was never published, with a test listening. */
async function listen(trigger: JsonObject) {
  const input = { name: "Events", description: null, definition: triggerDefinition(trigger) };
  const { workflow_id: workflowId } = await createWorkflow(editorIn(workspace), input);
  const { url } = await startEventTest(workspace.workspaceId, workflowId);
  return { workflowId, url, look: () => getEventTest(workspace.workspaceId, workflowId) };
}

async function send(url: string, body: string, headers: Record<string, string> = {}) {
  const testId = url.split("/").at(-1) ?? "";
  const request = new Request(url, { method: "POST", body, headers });
  const response = await testWebhookRoute(request, testId);
  return { status: response.status, ...(await response.json()) };
}

test("a draft accepts one event while someone listens, whole, without a run", async () => {
  const { workflowId, url, look } = await listen({ kind: "webhook" });
  expect(url).toMatch(/\/webhooks\/test\/[0-9a-f-]{36}$/);
  expect((await look())?.remaining_ms).toBeGreaterThan(60_000);
  expect(await send(url, "not json")).toMatchObject({ status: 400, code: "BAD_REQUEST" });
  expect(await look()).toMatchObject({ problem: expect.stringContaining("JSON"), output: null });
  expect(await send(url, '{"mail":"ada@example.com"}')).toEqual({ status: 202, accepted: true, test: true });
  expect(await look()).toMatchObject({
    remaining_ms: null,
    problem: null,
    url,
    output: { body: { mail: "ada@example.com" }, timestamp: expect.stringMatching(/Z$/) },
  });
  expect(await send(url, "{}")).toMatchObject({ status: 404 });
  expect(await runsOf({ workflowId })).toEqual([]);
  const stored = "select event_sealed::text as text from webhook_tests where workflow_id = $1";
  const { rows } = await db().query(stored, [workflowId]);
  expect(rows[0].text).not.toContain(Buffer.from("ada@example").toString("hex"));
});

test("a signed webhook accepts nothing else, and the listener sees why", async () => {
  const trigger = { kind: "webhook", secret: sealText(workspace.workspaceId, STANDARD_SECRET), scheme: "standard" };
  const { url, look } = await listen(trigger);
  const refused = await send(url, "{}", signStandard("{}", "1", Date.now(), "whsec_d3Jvbmcgc2VjcmV0IQ=="));
  expect(refused).toMatchObject({ status: 401, code: "INVALID_SIGNATURE" });
  expect(JSON.stringify(refused)).not.toContain("does not match");
  expect((await look())?.problem).toContain("the standard signature does not match");
  expect(await send(url, "[1]", signStandard("[1]", "2"))).toMatchObject({ status: 202 });
  expect((await look())?.output).toMatchObject({ body: [1] });
});

test("nothing is accepted after the time, after a cancel, or for another kind of trigger; the address stays", async () => {
  const { workflowId, url, look } = await listen({ kind: "webhook" });
  await db().query("update webhook_tests set listens_until = now() - interval '1 ms' where workflow_id = $1", [
    workflowId,
  ]);
  expect(await send(url, "{}")).toMatchObject({ status: 404 });
  expect((await startEventTest(workspace.workspaceId, workflowId)).url).toBe(url);
  await stopEventTest(workspace.workspaceId, workflowId);
  expect(await send(url, "{}")).toMatchObject({ status: 404 });
  expect(await look()).toMatchObject({ remaining_ms: null, output: null });
  const other = await listen({ kind: "schedule", mode: "interval", seconds: 60 });
  expect(await send(other.url, "{}")).toMatchObject({ status: 400 });
  const { workspaceId: foreign } = await addWorkspace();
  await expect(startEventTest(foreign, workflowId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(getEventTest(foreign, workflowId)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("the event is deleted after an hour", async () => {
  const { workflowId, url, look } = await listen({ kind: "webhook" });
  await send(url, "1");
  await db().query("update webhook_tests set received_at = now() - interval '61 minutes' where workflow_id = $1", [
    workflowId,
  ]);
  expect((await look())?.output).toBeNull();
  const later = await listen({ kind: "webhook" });
  await send(later.url, "2");
  await forgetTestEvents();
  const { rows } = await db().query("select event_sealed from webhook_tests where workflow_id = $1", [workflowId]);
  expect(rows).toEqual([{ event_sealed: null }]);
  expect((await later.look())?.output).toMatchObject({ body: 2 });
});
