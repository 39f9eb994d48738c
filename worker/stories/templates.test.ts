import { randomUUID } from "node:crypto";
import { afterAll, expect, it } from "vitest";
import { callbackRoute } from "#lib/api/webhooks/callback-route";
import { chatCompletion, startProvider } from "#lib/connectors/llm/provider.fixture";
import { INBOUND_URL, startBitrix24 } from "#lib/connectors/vendors/bitrix24/bitrix24.fixture";
import { MAIL_PASSWORD, MAIL_USER, startMail } from "#lib/connectors/vendors/email/mail-servers.fixture";
import { KEY_FILE, startSheets } from "#lib/connectors/vendors/google-sheets/google-sheets.fixture";
import { HUBSPOT_TOKEN, startHubSpot } from "#lib/connectors/vendors/hubspot/hubspot.fixture";
import { KOMMO_TOKEN, startKommo } from "#lib/connectors/vendors/kommo/kommo.fixture";
import { BOT_TOKEN, startTelegram } from "#lib/connectors/vendors/telegram/telegram.fixture";
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
const [telegram, hubspot, sheets, mail, kommo, bitrix24] = await Promise.all([
  startTelegram(),
  startHubSpot(),
  startSheets(),
  startMail(),
  startKommo(),
  startBitrix24(),
]);
process.env.CONNECTOR_BASE_URLS = JSON.stringify({
  telegram: telegram.url,
  hubspot: hubspot.url,
  google_sheets: sheets.url,
  kommo: kommo.url,
  bitrix24: bitrix24.url,
});
afterAll(() => {
  for (const server of [provider, telegram, hubspot, sheets, mail, kommo, bitrix24]) server.close();
});

const MAILBOX = {
  user: MAIL_USER,
  password: MAIL_PASSWORD,
  imap_host: "127.0.0.1",
  imap_port: String(mail.imapPort),
  imap_security: "none",
  smtp_host: "127.0.0.1",
  smtp_port: String(mail.smtpPort),
  smtp_security: "none",
};

/** How to connect to each vendor's server: the name of the authentication, and its fields. */
const CONNECTIONS: Record<string, [auth: string, fields: Record<string, string>]> = {
  telegram: ["bot_token", { token: BOT_TOKEN }],
  hubspot: ["private_app", { token: HUBSPOT_TOKEN }],
  google_sheets: ["service_account", { service_account: KEY_FILE }],
  email: ["mailbox", MAILBOX],
  kommo: ["long_lived_token", { domain: "example.kommo.com", token: KOMMO_TOKEN }],
  bitrix24: ["inbound_webhook", { webhook_url: INBOUND_URL }],
};

/** The spreadsheet that the templates name. */
sheets.books.set("1YourSpreadsheet", {
  title: "Shop",
  sheets: [
    {
      sheetId: 1,
      title: "Orders",
      rows: [
        ["Order", "Customer", "Total", "Status"],
        ["A-0", "Bob", 8, "open"],
      ],
    },
    {
      sheetId: 2,
      title: "Products",
      rows: [
        ["SKU", "Stock"],
        ["TEA-1", 1],
      ],
    },
    {
      sheetId: 3,
      title: "Invoices",
      rows: [
        ["Number", "Email", "Status"],
        ["I-1", "bob@example.com", "overdue"],
      ],
    },
  ],
});

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
  "follow-up-by-email": { sent: 2 },
  "wait-for-job": { status: "done" },
  "summarize-text": { summary: "A plan.", tasks: ["Send the offer (Grace)"] },
  "extract-order": { status: 200, body: { customer: "Ada", items: [{ product: "teapot", quantity: 2 }] } },
  "approve-post": { published: true },
  "triage-email": null,
  "approve-expense": null,
  "announce-row": null,
  "sync-list-to-sheet": null,
  "webhook-to-sheet": null,
  "weekly-digest": null,
  "check-website": null,
  "email-failures": null,
  "announce-contact": null,
  "call-back-lead": null,
  "contact-from-form": null,
  "remind-to-pay": null,
  "route-leads": null,
  "answer-in-telegram": null,
  "form-to-telegram": null,
  "ticket-from-email": null,
};

/** What the model answers to each template that asks it. */
const MODEL_ANSWERS: Record<string, JsonObject> = {
  "classify-message": { category: "refund", reply: "Of course." },
  "triage-email": { urgency: "high", summary: "The shop is down." },
  "summarize-text": { summary: "A plan.", tasks: ["Send the offer (Grace)"] },
  "extract-order": { customer: "Ada", items: [{ product: "teapot", quantity: 2 }] },
};

/** Replaces the services and the model that the template names with local servers. */
async function localise(definition: Definition): Promise<Definition> {
  const text = JSON.stringify(definition).replaceAll("https://example.com", stage.server.url);
  const local = JSON.parse(text) as Definition;
  for (const { type, data } of local.nodes) {
    if (type === "llm") data.connection_id = await connectModel();
    const [auth, fields] = CONNECTIONS[String(data.connector)] ?? [];
    const name = `Connection ${randomUUID()}`;
    if (auth && fields) data.connection_id = await stage.connect(String(data.connector), auth, fields, { name });
  }
  return local;
}

/** Reports the result of the job to the address that the run sent with it. */
async function reportJob() {
  const { report_to: address } = JSON.parse((await stage.called("/jobs")).body) as { report_to: string };
  const request = new Request(address, { method: "POST", body: '{"status":"done"}' });
  expect((await callbackRoute(request, address.split("/").at(-1) ?? "")).status).toBeLessThan(300);
}

const connectModel = () =>
  stage.connect(
    "openai",
    "api_key",
    { base_url: `${provider.url}/v1`, api_key: "sk-canary" },
    { name: `Model ${randomUUID()}` },
  );

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
  stage.server.answer("/broken", { ok: false }, 500);
  stage.server.answer("/products.json", [
    { sku: "TEA-1", stock: 4 },
    { sku: "MUG-9", stock: 0 },
    { sku: "POT-2", stock: 2 },
  ]);
  stage.server.answer("/figures.json", [{ name: "Orders", value: 7 }]);
  expect(TEMPLATES.map((template) => template.template_id).sort()).toEqual(Object.keys(OUTPUTS).sort());
  for (const template of TEMPLATES) {
    const { template_id: id, name, definition, sample_input: sample } = template;
    const isReady = template.needs.length === 0;
    expect(isReady ? validateGraph(definition) : [], id).toEqual([]);
    const answer = MODEL_ANSWERS[id];
    if (answer) provider.answers.push(chatCompletion(JSON.stringify(answer)));
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
    if (id === "wait-for-job") await reportJob();
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
  expectVendorsCalled();
});

/** Checks what the templates wrote to the vendors' servers. */
function expectVendorsCalled() {
  expect(telegram.sent.map(({ text }) => text).sort()).toEqual([
    "Acme has a budget of 25000.",
    "New contact: Ada (ada@example.com)",
    "New order A-7 from Ada",
    "The shop is down.",
    `The website is down: ${new URL(stage.server.url).host} answered 500`,
    "Version 2 is here.",
    "We are open on weekdays from 9:00 to 17:00.",
    "ada@example.com asks: Where is my order?",
  ]);
  const recipients = mail.sent.map(({ to }) => to.join()).sort();
  const [ada, bob, team] = ["ada", "bob", "team"].map((name) => `${name}@example.com`);
  expect(recipients).toEqual([ada, ada, ada, ada, bob, team, team]);
  expect(sheets.books.get("1YourSpreadsheet")?.sheets.map(({ rows }) => rows.at(-1))).toEqual([
    ["A-1", "Ada", 42, "open"],
    ["POT-2", 2],
    ["I-1", "bob@example.com", "overdue"],
  ]);
  expect(hubspot.objects.contacts?.map(({ properties }) => properties.email)).toEqual(["ada@example.com"]);
  expect(hubspot.objects.tickets?.map(({ properties }) => properties.subject)).toEqual(["The printer is broken"]);
  expect(kommo.requests.filter(({ path }) => path.endsWith("/leads/complex")).length).toBe(1);
  expect(bitrix24.rows["tasks.task"]?.at(-1)).toMatchObject({ TITLE: "Call Ada: +49 30 1234567" });
}
