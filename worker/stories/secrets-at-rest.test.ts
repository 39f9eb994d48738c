import { beforeEach, expect, test } from "vitest";
import { callbackRoute } from "#lib/api/webhooks/callback-route";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { plantSecrets } from "#lib/core/redaction/plant-secrets.fixture";
import { runDraft } from "#lib/domain/runs/create/run-draft";
import { listRuns } from "#lib/domain/runs/read/list-runs";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { addTrigger, editorIn } from "#lib/domain/triggers/trigger.fixture";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { placesOf } from "#lib/platform/db/find-text.fixture";
import { db } from "#lib/platform/db/pool";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
const stage = useRunStage();
let planted: string[] = [];
beforeEach(async () => {
  stage.workspace = await addWorkspace();
  planted = [];
});

/** Returns one secret of each kind that the journal redacts, different for each place, and remembers them. */
function plant(place: string) {
  const { secrets, value } = plantSecrets(place);
  planted.push(...secrets);
  return value;
}

/** The same as one text. */
function plantText(place: string): string {
  const { textSecrets, text } = plantSecrets(place);
  planted.push(...textSecrets);
  return text;
}

async function expectNothingAtRest(): Promise<void> {
  const { workspaceId } = stage.workspace;
  const found = await placesOf([...planted, workspaceId]);
  // The search finds what is there.
  expect(found).toContain(`public.workspaces: ${workspaceId}`);
  expect(found.filter((place) => !place.endsWith(workspaceId))).toEqual([]);
}

const returning = (value: string) =>
  node("out", "return_output", { properties: [{ name: "all", type: "object", value }] });

const called = async (action: Parameters<typeof stage.addAction>[0], input: JsonObject) =>
  stage.runAction(await stage.addAction(action), { input });

test("a copy of the database shows no secret that a caller, a service, code, or a sub-run brought into a run, and the caller gets its output", async () => {
  const [given, answered] = [plant("input"), plant("answer")];
  stage.server.answer("/look", { answered });
  const code = node("code", "code", {
    source: `console.log(JSON.stringify(input)); return { mine: input.given };`,
    input: { given: "{{in.given}}" },
  });
  const loop = node("loop", "loop", { items: "{{in.list}}", concurrency: 2, result: "{{one.item}}" });
  const one = { ...node("one", "transform", { fields: [{ name: "item", value: "{{loop.item}}" }] }), parentId: "loop" };
  const child = await stage.addAction({
    inputSchema: { type: "object", properties: { all: { type: "object" } }, required: [] },
    definition: between(
      [node("in", "action_input", { properties: [{ name: "all", type: "object" }] }), returning("{{in.all}}")],
      "in>out",
    ),
  });
  const sub = node("sub", "sub_workflow", { action_slug: child.slug, input: { all: "{{look.body}}" } });
  const mix = node("mix", "transform", {
    fields: [
      { name: "code", value: "{{code.mine}}" },
      { name: "looked", value: "{{look.body}}" },
      { name: "sub", value: "{{sub.all}}" },
      { name: "loop", value: "{{loop.results}}" },
    ],
  });
  const entry = node("in", "action_input", {
    properties: [
      { name: "given", type: "object" },
      { name: "list", type: "array" },
    ],
  });
  const steps = [entry, code, loop, one, stage.call("look"), sub, mix, returning("{{mix}}")];
  const definition = between(steps, "in>code>loop>look>sub>mix>out");
  const list = [plantText("item 1"), plantText("item 2")];
  const inputSchema = { type: "object" as const, properties: {}, required: [] };
  const run = await called({ definition, inputSchema }, { given, list });
  await stage.reaches(run, "succeeded");
  const all = { code: given, looked: { answered }, sub: { answered }, loop: list };
  expect((await stage.show(run)).output).toEqual({ all });
  const { data } = await listRuns(
    { workspaceId: run.workspaceId, actionSlugs: null },
    { limit: 10, order: "asc", withSteps: true },
  );
  expect(data.map(({ output }) => output)).toContainEqual({ all });
  await expectNothingAtRest();

  const edited = { given: plant("edited input"), list: [] };
  const again = await stage.replay(run, { mode: "from_start", input: edited });
  await stage.reaches(again, "succeeded");
  expect((await stage.show(again)).output).toMatchObject({ all: { code: edited.given } });
  await expectNothingAtRest();
});

test("a copy of the database shows no secret of a failure, a retry, or a failed branch", async () => {
  stage.server.answer("/refuse", { error: plantText("refusal"), more: plant("refusal body") }, 422);
  const failing = await stage.start([stage.call("refuse")], "in>refuse>out");
  await stage.reaches(failing, "failed");
  const handled = node("seen", "transform", { fields: [{ name: "error", value: "{{refuse.error}}" }] });
  const branch = between([stage.call("refuse"), handled], "in>refuse.failed>seen>out");
  await stage.reaches(await stage.startDefinition(branch), "succeeded");
  stage.server.answer("/busy", { error: plantText("busy") }, 429);
  const busy = await stage.start([stage.call("busy", { maxRetries: 3 })], "in>busy>out");
  await stage.parks(busy);
  const thrown = node("code", "code", { source: `throw new Error(input.text)`, input: { text: "{{in.text}}" } });
  const entry = node("in", "action_input", { properties: [{ name: "text", type: "string" }] });
  const inputSchema = { type: "object" as const, properties: {}, required: [] };
  const definition = between([entry, thrown], "in>code>out");
  await stage.reaches(await called({ definition, inputSchema }, { text: plantText("thrown") }), "failed");
  await expectNothingAtRest();
});

test("a copy of the database shows no secret of an approval, and readers get the comment as it was written", async () => {
  const entry = node("in", "action_input", { properties: [{ name: "text", type: "string" }] });
  const gate = node("gate", "approval", { message: "Ask {{in.text}}" });
  const inputSchema = { type: "object" as const, properties: {}, required: [] };
  const definition = between([entry, gate, returning("{{gate}}")], "in>gate>out");
  const run = await called({ definition, inputSchema }, { text: plantText("message") });
  await stage.parks(run);
  const comment = `ok, ${plantText("comment")}`;
  const decided = await stage.decide(run, { comment });
  expect(decided.approval?.comment).toBe(comment);
  await stage.reaches(run, "succeeded");
  const shown = await stage.show(run);
  expect(shown.approval?.comment).toBe(comment);
  expect(shown.output).toMatchObject({ all: { comment } });
  await expectNothingAtRest();
});

test("a copy of the database shows no secret of a callback", async () => {
  const ask = stage.call("ask", {
    params: { method: "POST", url: `${stage.server.url}/ask`, body: { address: "{{wait.callback_url}}" } },
  });
  const wait = node("wait", "wait_for_callback", { expires_seconds: 3_600 });
  const run = await stage.start([ask, wait, returning("{{wait.body}}")], "in>ask>wait.received>out");
  await stage.parks(run);
  const sent = await until("the address", async () => stage.server.of("/ask").at(-1)?.body);
  const { address } = JSON.parse(String(sent)) as { address: string };
  const body = plant("callback");
  const token = address.split("/").at(-1) ?? "";
  planted.push(token);
  const request = new Request(address, { method: "POST", body: JSON.stringify(body) });
  expect((await callbackRoute(request, token)).status).toBe(200);
  await stage.reaches(run, "succeeded");
  expect((await stage.show(run)).output).toEqual({ all: body });
  await expectNothingAtRest();
});

test("a copy of the database shows no secret of a delivery, whether it is accepted or refused", async () => {
  const { subscriptionId } = await addTrigger(stage.workspace, { kind: "webhook" });
  const deliver = (body: string) =>
    receiveWebhook(subscriptionId, {
      method: "POST",
      url: "http://localhost/webhooks/x",
      body: Buffer.from(body),
      receivedAt: new Date(),
      headers: new Headers({ "content-type": "application/json", authorization: `Bearer ${plantText("header")}` }),
    });
  await deliver(JSON.stringify(plant("delivery")));
  await expect(deliver(`{"a": ${plantText("no JSON")}`)).rejects.toThrow();
  await until(
    "the run to end",
    async () => (await db().query("select 1 from runs where status = 'succeeded'")).rows[0],
  );
  await expectNothingAtRest();
});

test("a copy of the database shows no secret of a test of a draft and its pins", async () => {
  const definition = between(
    [
      stage.call("pinned"),
      returning("{{pinned.body}}"),
      node("in", "action_input", { properties: [{ name: "given", type: "object" }] }),
    ],
    "in>pinned>out",
  );
  const made = await createWorkflow(editorIn(stage.workspace), { name: "Draft", description: null, definition });
  const body = plant("pin");
  const run = await runDraft({
    ...stage.workspace,
    workflowId: made.workflow_id,
    input: { given: plant("test input") },
    pinned: { pinned: { status: 200, headers: {}, body } },
  });
  const reference = stage.referTo(run.run_id);
  await stage.reaches(reference, "succeeded");
  expect((await stage.show(reference)).output).toEqual({ all: body });
  await expectNothingAtRest();
});
