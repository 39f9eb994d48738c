import { beforeEach, describe, expect, test } from "vitest";
import { answerCallback } from "#lib/api/webhooks/callback-route";
import type { InputSchema, JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { batchRuns, callBatch, item } from "#lib/domain/runs/create/batch.fixture";
import { runDraft } from "#lib/domain/runs/create/run-draft";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { getTrigger } from "#lib/domain/triggers/activation/get-trigger";
import { listDeliveries } from "#lib/domain/triggers/deliveries/list-deliveries";
import { redeliverEvent } from "#lib/domain/triggers/deliveries/redeliver-event";
import { editorIn } from "#lib/domain/triggers/trigger.fixture";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { useReplayStage } from "#worker/stories/replay-stage.fixture";
import { between } from "#worker/stories/run-stage.fixture";

const { stage, call, replay } = useReplayStage();

/** jsonb sorts keys by length, so each object here changes in it. JavaScript itself puts "9" and "10" first. */
const GIVEN = JSON.parse(
  '{"z":1,"a":2,"10":3,"9":4,"ordered":[{"two":2,"one":{"zz":"ж","ж":null,"b":1}},[{"y":1,"b":2}]]}',
);
const TEXT = JSON.stringify(GIVEN);
const SCHEMA: InputSchema = { type: "object", properties: { payload: { type: "object" } }, required: ["payload"] };

const inner = (made: GraphNode): GraphNode => ({ ...made, parentId: "each" });
const gate = node("gate", "approval", { name: "Check", message: "Continue?" });
const out = (value: string) => node("out", "return_output", { properties: [{ name: "all", type: "object", value }] });
/** Sends a value as a body, and its text in a header, as a signature would be. */
const send = (id: string, value: string) =>
  call(id, { body: `{{${value}}}`, headers: { "x-text": `{{encode_base64(json(${value}))}}` } });

beforeEach(() => stage.server.answer("/a", GIVEN));

const start = async (nodes: GraphNode[], ...paths: string[]) =>
  stage.runAction(await publish(nodes, ...paths), { input: { payload: GIVEN } });

const publish = (nodes: GraphNode[], ...paths: string[]) =>
  stage.addAction({ definition: between(nodes, ...paths), inputSchema: SCHEMA });

async function approve(run: RunReference): Promise<void> {
  await stage.reaches(run, "waiting_for_approval");
  await stage.parks(run);
  await stage.decide(run);
}

/** Checks that each request to a path had these bytes. */
function expectSent(path: string, times: number, text = TEXT): void {
  const calls = stage.server.of(path);
  expect(calls.map(({ body }) => body)).toEqual(Array<string>(times).fill(text));
  const texts = calls.map(({ headers }) => Buffer.from(String(headers["x-text"]), "base64").toString());
  expect(texts).toEqual(Array<string>(times).fill(text));
}

describe("keys stay in the order in which they were written", () => {
  test("in the input of an action, its sub-run, both outputs, and their replays", async () => {
    const child = await publish([send("b", "in.payload"), out("{{in.payload}}")], "in>b", "b>out");
    const sub = node("sub", "sub_workflow", { action_slug: child.slug, input: { payload: "{{in.payload}}" } });
    const run = await start([sub, send("c", "sub.all"), out("{{sub.all}}")], "in>sub", "sub>c", "c>out");
    const { output } = await stage.reaches(run, "succeeded");
    expect(JSON.stringify(output)).toBe(`{"all":${TEXT}}`);
    const again = await replay(run, "succeeded", { version: undefined });
    expect(JSON.stringify(again.run.output)).toBe(`{"all":${TEXT}}`);
    expectSent("/b", 2);
    expectSent("/c", 2);
  });

  test("in each input of a batch", async () => {
    const action = await publish([send("b", "in.payload")], "in>b", "b>out");
    const items = [item({ input: { payload: GIVEN } }), item({ input: { payload: GIVEN } })];
    const runs = batchRuns(await callBatch({ workspace: stage.workspace, action }, items));
    for (const { run_id: runId } of runs) await stage.reaches(stage.referTo(runId), "succeeded");
    expectSent("/b", 2);
  });

  test("in the output of a step before an approval, and in a replay from the step after it", async () => {
    const nodes = [call("a"), send("b", "a.body"), gate, send("c", "a.body"), out("{{a.body}}")];
    const run = await start(nodes, "in>a", "a>b", "b>gate", "gate.approved>c", "c>out");
    await approve(run);
    const { output } = await stage.reaches(run, "succeeded");
    expect(JSON.stringify(output)).toBe(`{"all":${TEXT}}`);
    expectSent("/b", 1);
    const again = await replay(run, "succeeded", { version: undefined, stepId: "c" });
    expect(JSON.stringify(again.run.output)).toBe(`{"all":${TEXT}}`);
    expectSent("/c", 2);
    expect(stage.server.of("/a")).toHaveLength(1);
  });

  test("in a request that is repeated because its worker was killed", async () => {
    stage.server.hold("/b");
    const run = await start([call("a"), send("b", "a.body")], "in>a", "a>b", "b>out");
    await stage.called("/b");
    await stage.replaceWorker();
    await stage.called("/b", 2);
    stage.server.release("/b");
    await stage.reaches(run, "succeeded");
    expectSent("/b", 2);
    expect(new Set(stage.server.of("/b").map(({ key }) => key)).size).toBe(1);
  });

  test("in the body of a callback, at once and after another pause", async () => {
    const nodes = [
      call("a", { method: "POST", body: { address: "{{wait.callback_url}}" } }),
      node("wait", "wait_for_callback", { expires_seconds: 3_600 }),
      send("b", "wait.body"),
      gate,
      send("c", "wait.body"),
    ];
    const run = await start(nodes, "in>a", "a>wait", "wait.received>b", "b>gate", "gate.approved>c", "c>out");
    await stage.parks(run);
    const address = String(JSON.parse(stage.server.of("/a")[0]?.body ?? "{}").address);
    const headers = { "content-type": "application/json" };
    await answerCallback(new Request(address, { method: "POST", headers, body: TEXT }));
    await approve(run);
    await stage.reaches(run, "succeeded");
    expectSent("/b", 1);
    expectSent("/c", 1);
  });

  test("in the items and the results of a loop, after a pause", async () => {
    const ITEM = JSON.stringify(GIVEN.ordered[0]);
    const nodes = [
      call("a"),
      node("each", "loop", { items: "{{a.body.ordered}}", concurrency: 1, result: "{{keep.kept}}" }),
      inner(node("keep", "transform", { fields: [{ name: "kept", value: "{{each.item}}" }] })),
      inner(call("d")),
      gate,
      node("first", "transform", { fields: [{ name: "kept", value: "{{each.results[0]}}" }] }),
      send("b", "first.kept"),
    ];
    const run = await start(nodes, "in>a", "a>each", "keep>d", "each>gate", "gate.approved>first", "first>b", "b>out");
    await approve(run);
    await stage.reaches(run, "succeeded");
    expectSent("/b", 1, ITEM);
  });

  test("in the data of a test of a draft, pinned or copied from the timeline", async () => {
    const definition = between([call("a"), gate, send("b", "a.body")], "in>a>gate.approved>b>out");
    const editor = editorIn(stage.workspace);
    const { workflow_id: workflowId } = await createWorkflow(editor, { name: "Pins", description: null, definition });
    const pins = async (pinned: JsonObject, from: { fromRunId?: string }) => {
      const run = await runDraft({ ...stage.workspace, workflowId, input: {}, pinned, ...from });
      const reference = stage.referTo(run.run_id);
      await approve(reference);
      await stage.reaches(reference, "succeeded");
      return run.run_id;
    };
    const fromRunId = await pins({ a: { body: GIVEN } }, {});
    // The same value in the order of jsonb, as a timeline may show it.
    const sorted = Object.fromEntries(Object.entries(GIVEN).reverse());
    await pins({ a: { body: sorted } }, { fromRunId });
    expect(stage.server.of("/a")).toEqual([]);
    expectSent("/b", 2);
  });

  test("in the body of a webhook, in its redelivery, and in a replay", async () => {
    const nodes = [node("start", "trigger", { kind: "webhook" }), send("b", "trigger.output.body")];
    const editor = editorIn(stage.workspace);
    const definition = { nodes, edges: edges("start>b") };
    const { workflow_id: workflowId } = await createWorkflow(editor, { name: "Hook", description: null, definition });
    await deployWorkflow(editor, { workflowId });
    const trigger = await getTrigger(stage.workspace.workspaceId, workflowId);
    const answer = await receiveWebhook(trigger?.subscription_id ?? "", deliveryOf({ body: TEXT }));
    if (!answer.accepted) return expect.fail("the delivery is a duplicate");
    const run = stage.referTo(answer.run_id ?? "");
    await stage.reaches(run, "succeeded");
    const { data } = await listDeliveries(stage.workspace.workspaceId, workflowId, { limit: 1 });
    const again = await redeliverEvent(stage.workspace.workspaceId, data[0]?.delivery_id ?? "");
    await stage.reaches(stage.referTo(again.run_id), "succeeded");
    await replay(run, "succeeded", { version: undefined });
    expectSent("/b", 3);
  });
});
