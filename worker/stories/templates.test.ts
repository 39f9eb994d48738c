import { afterAll, expect, it } from "vitest";
import { chatCompletion, startProvider } from "#lib/connectors/llm/provider.fixture";
import { isTerminal } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import type { TemplateObject } from "#lib/contract/workflow/template";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { TEMPLATES } from "#lib/core/templates/templates";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { runAction } from "#lib/domain/runs/create/run-actions";
import { runDraft } from "#lib/domain/runs/create/run-draft";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
const stage = useRunStage();
const provider = await startProvider("sk-canary");
afterAll(() => provider.close());

/** The output of each template for its sample input. Templates that a trigger starts return nothing. */
const OUTPUTS: Record<string, JsonObject | null> = {
  "hello-world": { text: "Hello, Ada!" },
  "qualify-lead": { qualified: true, score: 100, next_step: "Call Acme today." },
  "approve-refund": { order_id: "A-10492", status: "refunded" },
  "total-orders": {
    orders: [
      { id: "A-1", total: 60 },
      { id: "A-2", total: 11 },
    ],
    count: 2,
    total: 71,
  },
  "reshape-order": {
    number: "77",
    customer: "Ada Lovelace",
    items: [{ sku: "TEA-1", quantity: 2 }],
    paid: true,
  },
  "fetch-with-retries": { status: 200, body: { ok: true } },
  "classify-message": { category: "refund", reply: "Of course.", approved: true },
  "compose-actions": { greetings: ["Hello, Ada!", "Hello, Grace!", "Hello, Katherine!"] },
  "forward-webhook": null,
  "report-weekdays": null,
  "quote-by-form": { price_in_EUR: 1_200, billing: "Yearly" },
  "answer-webhook": { status: 200, body: { delivery: "same day" } },
  "report-failures": null,
};

/** Replaces the services and the model that the template names with local servers. */
async function localise(definition: Definition): Promise<Definition> {
  const text = JSON.stringify(definition).replaceAll("https://example.com", stage.server.url);
  const local = JSON.parse(text) as Definition;
  for (const node of local.nodes) if (node.type === "llm") node.data.connection_id = await connectModel();
  return local;
}

const connectModel = () =>
  stage.connect("openai", "api_key", { base_url: `${provider.url}/v1`, api_key: "sk-canary" }, { name: "Model" });

/** Starts the template: with a call, or with a test of its draft if a trigger starts it. */
async function start(template: TemplateObject, workflowId: string, input: JsonObject): Promise<string> {
  const { workspaceId, userId, plan } = stage.workspace;
  if (template.starts === "call") {
    const call = { workspaceId, userId, plan, input, slug: template.template_id, dryRun: false } as const;
    return (await runAction({ ...call, source: "manual" })).run.run_id;
  }
  return (await runDraft({ workspaceId, userId, plan, workflowId, input, pinned: {} })).run_id;
}

it("each template is published and really runs with its sample input", async () => {
  const { workspaceId, userId } = stage.workspace;
  const editor = { workspaceId, userId, actor: TEST_ACTOR };
  stage.server.answer("/status.json", { ok: true });
  stage.server.answer("/figures.json", [{ name: "Orders", value: 7 }]);
  expect(TEMPLATES.map((template) => template.template_id).sort()).toEqual(Object.keys(OUTPUTS).sort());
  for (const template of TEMPLATES) {
    const { template_id: id, name, definition, sample_input: sample } = template;
    const isReady = template.needs.length === 0;
    expect(isReady ? validateGraph(definition) : [], id).toEqual([]);
    provider.answers.push(chatCompletion('{"category":"refund","reply":"Of course."}'));
    const { workflow_id: workflowId } = await createWorkflow(editor, {
      name,
      description: null,
      definition: await localise(definition),
    });
    await deployWorkflow(editor, { workflowId, ...(template.starts === "call" ? { slug: id } : {}) });
    const input = JSON.parse(JSON.stringify(sample).replaceAll("https://example.com", stage.server.url));
    const run = { workspaceId, runId: await start(template, workflowId, input), actionSlugs: null };
    if (definition.nodes.some((node) => node.type === "approval")) {
      await stage.reaches(run, "waiting_for_approval");
      await stage.decide(run);
    }
    const { status, error, output } = await until(`${id} to end`, async () => {
      const row = await stage.row(run);
      return isTerminal(row.status) && row;
    });
    expect({ id, status, error }).toEqual({ id, status: "succeeded", error: null });
    const expected = OUTPUTS[id];
    if (expected) expect(output, id).toMatchObject(expected);
  }
  expect(JSON.parse(stage.server.of("/hooks/orders")[0]?.body ?? "")).toMatchObject({ order: "A-1", total: 42 });
  expect(stage.server.of("/hooks/report")[0]?.body).toContain("Report for 2026-01-15\\nOrders: 7");
});
