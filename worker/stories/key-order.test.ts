import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { chatCompletion, startProvider } from "#lib/connectors/llm/provider.fixture";
import type { RunObject } from "#lib/contract/run/run";
import type { Definition } from "#lib/contract/workflow/graph";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { replayRun } from "#lib/domain/runs/create/replay-run";
import { runAction } from "#lib/domain/runs/create/run-actions";
import { runDraft } from "#lib/domain/runs/create/run-draft";
import { getRunGraph } from "#lib/domain/runs/read/get-run-graph";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";
import { editorIn } from "#lib/domain/triggers/trigger.fixture";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";
import { useRunStage } from "#worker/stories/run-stage.fixture";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
const stage = useRunStage();

const KEY = "sk-canary-1a2b3c4d5e6f";
/** JSON whose keys jsonb would sort by length. */
const SENT = '{"zeta":1,"b":{"yy":1,"x":2},"alpha":[{"two":2,"a":1}]}';
const PROPERTIES = '{"reasoning":{"type":"string"},"kind":{"type":"string"},"a":{"type":"string"}}';
const ANSWERED = '{"reasoning":"because","kind":"refund","a":"x"}';

const provider = await startProvider(KEY);
afterAll(() => provider.close());
let connectionId: string;
let workflowId: string;
beforeAll(async () => {
  connectionId = await stage.connect("openai", "api_key", { base_url: `${provider.url}/v1`, api_key: KEY });
});
beforeEach(async () => {
  stage.server.calls.splice(0);
  provider.requests.length = 0;
  provider.answers.splice(0, provider.answers.length, chatCompletion(ANSWERED), chatCompletion(ANSWERED));
  workflowId = (await createWorkflow(editor(), { name: "Order", description: null, definition: draft() })).workflow_id;
});

const editor = () => editorIn(stage.workspace);

/** in > send > ask > out */
function draft(sent = SENT): Definition {
  const params = { method: "POST", url: `${stage.server.url}/send`, body: JSON.parse(sent) };
  const schema = { type: "object", properties: JSON.parse(PROPERTIES), required: ["reasoning", "kind", "a"] };
  const ask = { connection_id: connectionId, model: "model-a", prompt: "Sort it.", output_schema: schema };
  return {
    nodes: [
      node("in", "action_input", { properties: [] }),
      node("send", "connector", { connector: "http", operation: "request", params }),
      node("ask", "llm", ask),
      node("out", "return_output", {
        properties: [
          { name: "zebra", type: "string", value: "{{ask.object.kind}}" },
          { name: "object", type: "object", value: "{{ask.object}}" },
          { name: "b", type: "string", value: "x" },
        ],
      }),
    ],
    edges: edges("in>send>ask>out"),
  };
}

/** Waits for the end of a run, and checks the key order in the requests of its steps. */
async function expectOrder({ run_id: runId }: Pick<RunObject, "run_id">, sent = SENT): Promise<void> {
  const run = stage.referTo(runId);
  const { output } = await stage.reaches(run, "succeeded");
  expect(stage.server.of("/send").map(({ body }) => body)).toEqual([sent]);
  const asked = provider.requests.filter(({ path }) => path.endsWith("/chat/completions")).map(({ body }) => body);
  expect(asked.map((body) => keysOf(body, "properties"))).toEqual([["reasoning", "kind", "a"]]);
  expect(JSON.stringify(output)).toBe(`{"zebra":"refund","object":${ANSWERED},"b":"x"}`);
  const { definition } = await getRunGraph(run);
  expect(sentBy(definition)).toBe(sent);
}

/** Returns the keys of the first object with this name, at any depth. */
function keysOf(value: unknown, name: string): string[] | null {
  if (typeof value !== "object" || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    if (key === name) return Object.keys(inner);
    const found = keysOf(inner, name);
    if (found) return found;
  }
  return null;
}

function sentBy({ nodes }: Definition): string {
  const params = nodes.find(({ id }) => id === "send")?.data.params as { body: unknown };
  return JSON.stringify(params.body);
}

const testDraft = () => runDraft({ ...stage.workspace, workflowId, input: {}, pinned: {} });

test("a test run of a draft keeps the written order of keys in requests, model calls, and its output", async () => {
  await expectOrder(await testDraft());
});

test("a published action keeps the written order of keys in requests, model calls, and its output", async () => {
  const slug = "keeps-order";
  await deployWorkflow(editor(), { workflowId, slug });
  const call = { ...stage.workspace, slug, input: {}, dryRun: false, source: "action" } as const;
  const { run } = await runAction(call);
  await expectOrder(run);
  stage.server.calls.splice(0);
  provider.requests.length = 0;
  const request = { ...stage.workspace, runId: run.run_id, actionSlugs: null, actor: editor().actor };
  await expectOrder(await replayRun({ ...request, version: "latest" }));
  for (const version of ["draft", "deployed"] as const) {
    const shown = await getWorkflow(stage.workspace.workspaceId, workflowId, version);
    expect(sentBy(shown.definition)).toBe(SENT);
  }
});

test("a save that only reorders keys changes the order in requests", async () => {
  const reordered = '{"b":{"x":2,"yy":1},"zeta":1,"alpha":[{"two":2,"a":1}]}';
  await updateWorkflow(stage.workspace.workspaceId, workflowId, { definition: draft(reordered) });
  await expectOrder(await testDraft(), reordered);
});

test("a publish that only reorders keys changes the order in the action's requests", async () => {
  const slug = "new-order";
  await deployWorkflow(editor(), { workflowId, slug });
  const reordered = '{"b":{"x":2,"yy":1},"zeta":1,"alpha":[{"two":2,"a":1}]}';
  await updateWorkflow(stage.workspace.workspaceId, workflowId, { definition: draft(reordered) });
  await deployWorkflow(editor(), { workflowId });
  const call = { ...stage.workspace, slug, input: {}, dryRun: false, source: "action" } as const;
  await expectOrder((await runAction(call)).run, reordered);
});
