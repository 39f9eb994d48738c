import { expect, test } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { getTrigger } from "#lib/domain/triggers/activation/get-trigger";
import { editorIn, runsOf, STANDARD_SECRET, signStandard } from "#lib/domain/triggers/trigger.fixture";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { useRunStage } from "#worker/stories/run-stage.fixture";

const stage = useRunStage();

/** Publishes a webhook that responds with what its run returns, with one step before the end. */
async function publish(
  properties: JsonObject[],
  { trigger = {}, step }: { trigger?: JsonObject; step?: GraphNode } = {},
) {
  const start = node("start", "trigger", { kind: "webhook", respond: "result", ...trigger });
  const end = node("end", "return_output", { properties });
  const nodes = step ? [start, step, end] : [start, end];
  const definition = { nodes, edges: step ? edges(`start>${step.id}>end`) : edges("start>end") };
  const editor = editorIn(stage.workspace);
  const { workflow_id: workflowId } = await createWorkflow(editor, { name: "Asked", description: null, definition });
  await deployWorkflow(editor, { workflowId });
  const live = await getTrigger(stage.workspace.workspaceId, workflowId);
  return { workflowId, subscriptionId: live?.subscription_id ?? "" };
}

async function ask(subscriptionId: string, body: JsonObject = {}, headers: Record<string, string> = {}) {
  const text = JSON.stringify(body);
  return receiveWebhook(subscriptionId, deliveryOf({ body: text, headers: new Headers(headers) }));
}

const property = (name: string, type: string, value: unknown) => ({ name, type, value });
const response = (status: unknown, headers: unknown, body: unknown, type = "string") => [
  property("status", "number", status),
  property("headers", "object", headers),
  property("body", type, body),
];

test("the output of the run is sent as JSON, with what the journal redacts", async () => {
  const { subscriptionId } = await publish([property("mail", "string", "{{trigger.output.body.mail}}")]);
  const answer = await ask(subscriptionId, { mail: "ada@example.com" });
  expect(answer).toMatchObject({
    accepted: true,
    response: { status: 200, body: '{"mail":"ada@example.com"}' },
  });
  expect(answer.response?.headers).toEqual({ "content-type": "application/json", "x-run-id": answer.run_id });
});

test("a status, headers and a body are the whole response, in a sandbox", async () => {
  const page = "<h1>{{trigger.output.body.name}}</h1>";
  const headers = { "Content-Type": "text/html", "X-Total": "{{trigger.output.body.total}}" };
  const { subscriptionId } = await publish(response(201, headers, page));
  const { response: sent } = await ask(subscriptionId, { name: "<script>", total: 7 });
  expect(sent).toMatchObject({ status: 201, body: "<h1><script></h1>" });
  expect(sent?.headers).toMatchObject({
    "content-type": "text/html",
    "content-security-policy": "sandbox",
    "x-total": "7",
  });
});

test("a text is plain text and a value is JSON, unless the headers say otherwise; a redirect has no body", async () => {
  const text = await publish(response(200, {}, "ok"));
  expect((await ask(text.subscriptionId)).response).toMatchObject({
    body: "ok",
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
  const value = await publish(response("{{trigger.output.body.code}}", null, { a: [1] }, "object"));
  expect((await ask(value.subscriptionId, { code: 422 })).response).toMatchObject({
    status: 422,
    body: '{"a":[1]}',
    headers: { "content-type": "application/json" },
  });
  const redirect = await publish(response(302, { location: "https://example.com/done" }, null));
  expect((await ask(redirect.subscriptionId)).response).toMatchObject({
    status: 302,
    body: null,
    headers: { location: "https://example.com/done" },
  });
});

test("a header or a status that a workflow may not set is a 500 that names it, and the run has succeeded", async () => {
  const { subscriptionId } = await publish(
    response("{{trigger.output.body.status}}", "{{trigger.output.body.headers}}", "secret"),
  );
  const wrong: [JsonObject, string][] = [
    [{ "Set-Cookie": "a=1" }, "Set-Cookie"],
    [{ "content-security-policy": "default-src *" }, "content-security-policy"],
    [{ "access-control-allow-origin": "*" }, "access-control-allow-origin"],
    [{ "x-accel-redirect": "/internal" }, "x-accel-redirect"],
    [{ "x-content-type-options": "none" }, "x-content-type-options"],
    [{ "x-sendfile": "/etc/passwd" }, "x-sendfile"],
    [{ "x-two": "a\r\nset-cookie: b=1" }, "x-two"],
    [{ location: { a: 1 } }, "location"],
  ];
  for (const [headers, name] of wrong) {
    const { response: sent } = await ask(subscriptionId, { status: 200, headers });
    expect([sent?.status, Object.keys(sent?.headers ?? {})], name).toEqual([500, ["content-type", "x-run-id"]]);
    expect(JSON.parse(sent?.body ?? "")).toMatchObject({ status: "succeeded", error: expect.stringContaining(name) });
    expect(sent?.body).not.toContain("secret");
  }
  for (const status of [199, 600, 200.5, 304]) {
    expect((await ask(subscriptionId, { status, headers: {} })).response?.status, String(status)).toBe(500);
  }
});

test("a run that fails is a 500 with its id, and nothing of the failure", async () => {
  const fails = node("fails", "code", { source: "throw new Error('password 1234')" });
  const { subscriptionId } = await publish([], { step: fails });
  const answer = await ask(subscriptionId);
  expect(answer.response?.status).toBe(500);
  expect(JSON.parse(answer.response?.body ?? "")).toEqual({ accepted: true, run_id: answer.run_id, status: "failed" });
});

test("a delivery that is sent again gets the response of its first run", async () => {
  const trigger = { secret: STANDARD_SECRET, scheme: "standard" };
  const { workflowId, subscriptionId } = await publish([property("n", "number", "{{trigger.output.body.n}}")], {
    trigger,
  });
  const headers = signStandard('{"n":1}', "msg_1");
  const [first, second] = [await ask(subscriptionId, { n: 1 }, headers), await ask(subscriptionId, { n: 1 }, headers)];
  expect(second).toMatchObject({ accepted: false, run_id: first.run_id, response: first.response });
  expect(await runsOf({ workflowId })).toHaveLength(1);
});

test("a sender that has waited long enough gets the id of the stored run, and the run ends by itself", async () => {
  const step = node("later", "delay", { seconds: 3 });
  const { subscriptionId } = await publish([], { trigger: { wait_seconds: 1 }, step });
  const answer = await ask(subscriptionId);
  expect(answer).toEqual({ accepted: true, run_id: expect.any(String) });
  await stage.reaches(stage.referTo(answer.run_id ?? ""), "succeeded");
});

test("a sender does not wait for a person", async () => {
  const step = node("gate", "approval", {});
  const { subscriptionId } = await publish([], { step });
  const answer = await ask(subscriptionId);
  expect(answer).toEqual({ accepted: true, run_id: expect.any(String) });
  await stage.reaches(stage.referTo(answer.run_id ?? ""), "waiting_for_approval");
});
