import { findFaults } from "#e2e/accessibility";
import { expectExpression, typeReference } from "#e2e/canvas-drawing";
import { card, pickStep, saved } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";
import type { LocalService, ReceivedRequest, ServiceAnswer } from "#e2e/local-service";

const KEY = "sk-canary-5f4e3d2c1b0a";
const SCHEMA = {
  type: "object",
  properties: { category: { type: "string" } },
  required: ["category"],
};

/** Simulates a model provider that speaks Chat Completions and requires KEY. */
function serveModels(service: LocalService): void {
  service.answerWith(({ path, headers }: ReceivedRequest): ServiceAnswer => {
    if (headers.authorization !== `Bearer ${KEY}`) {
      return { status: 401, json: { error: { message: "Incorrect API key provided." } } };
    }
    if (path === "/v1/models") return { json: { data: [{ id: "small-model" }, { id: "large-model" }] } };
    const message = { role: "assistant", content: '{"category":"refund"}', refusal: null };
    const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
    return { json: { choices: [{ index: 0, message, finish_reason: "stop" }], usage } };
  });
}

test("a model connection is created next to the canvas, tested and used by a published step, and its key is never shown", async ({
  signedInPage: page,
  product,
  service,
  api,
}) => {
  test.slow();
  serveModels(service);
  const name = `Models ${Date.now()}`;
  await page.setViewportSize({ width: 1600, height: 1000 });
  const post = (operation: string, data: unknown) =>
    page.request.post(`/api/web/${operation}`, { headers: { origin: product.url }, data });
  const created = await post("create_workflow", { name: "Sort requests", definition: { nodes: [], edges: [] } });
  const { workflow_id: id } = await created.json();
  await page.goto(`/workflows/${id}`);
  await page.getByRole("button", { name: "Start with Action Input and Return Output" }).click();
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("text");
  await page.getByRole("button", { name: "Add a step between Action Input and Return Output" }).click();
  await pickStep(page, "llm");

  await page.getByRole("button", { name: "New connection" }).click();
  const dialog = page.getByRole("dialog", { name: "New connection" });
  await dialog.getByLabel("Connector").selectOption("OpenAI or compatible");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Base URL").fill(`${service.url}/v1`);
  await dialog.getByLabel("API key").fill("sk-wrong-0000000000");
  await dialog.getByRole("button", { name: "Test and save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("answered 401: Incorrect API key provided.");
  await dialog.getByLabel("API key").fill(KEY);
  await dialog.getByRole("button", { name: "Test and save" }).click();
  await expect(page.getByText(`${name} works.`)).toContainText("offers 2 models");
  await expect(dialog).toBeHidden();

  const panel = page.getByRole("complementary", { name: /^Settings for/ });
  await expect(panel.getByLabel("Connection", { exact: true })).toHaveValue(/^[0-9a-f-]{36}$/);
  await expect(panel).toContainText("sent only to http://127.0.0.1");
  await expect(panel.locator("datalist option")).toHaveCount(2);
  await panel.getByRole("combobox", { name: "Model", exact: true }).fill("small-model");
  await typeReference(panel.getByRole("textbox", { name: "Prompt" }), "Sort this: {{tex", "action_input.text");
  await expectExpression(panel.getByRole("textbox", { name: "Prompt" }), "Sort this: {{action_input.text}}");
  await panel.getByText("Prompt preview").click();
  await expect(panel.getByRole("region", { name: "User message" })).toContainText("Sort this: {{action_input.text}}");
  await expect(panel.getByRole("list", { name: "Missing values" })).toContainText("Run Action Input to see this value");
  await panel.getByLabel("Output schema").fill(JSON.stringify(SCHEMA));
  await card(page, "Return Output").click();
  await page.getByRole("button", { name: "Add field" }).click();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("category");
  await page.getByRole("textbox", { name: "Value" }).fill("{{llm.object.category}}");
  await saved(page);

  const slug = `sort-${id.slice(-12)}`;
  const deployed = await post("deploy_workflow", { workflow_id: id, slug });
  expect(await deployed.json()).toMatchObject({ status: "deployed" });
  const called = await api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input: { text: "Money back!" } } });
  const { run_id } = await called.json();
  const answered = await api.get(`/api/v1/runtime/runs/${run_id}`, { headers: { prefer: "wait=25" } });
  const run = await answered.json();
  expect(run).toMatchObject({ status: "succeeded", output: { category: "refund" } });
  expect(JSON.stringify(run)).not.toContain(KEY);
  const asked = service.requests.filter(({ path }) => path === "/v1/chat/completions");
  expect(asked).toMatchObject([{ headers: { authorization: `Bearer ${KEY}` } }]);
  expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({
    model: "small-model",
    messages: [{ role: "user", content: "Sort this: Money back!" }],
    response_format: { json_schema: { strict: true } },
  });

  await page.goto("/connections");
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("Connected");
  await expect(row).toContainText("••••1b0a");
  await expect(row.getByRole("link", { name: "Sort requests" })).toBeVisible();
  await expect(row).toContainText(/just now|min\. ago/);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect((await page.content()) + kept).not.toContain(KEY);

  await page.getByRole("button", { name: `More for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const inUse = page.getByRole("dialog", { name: `${name} is in use` });
  await expect(inUse).toContainText("Sort requests in the draft and in the published version");
  await inUse.getByRole("button", { name: "Close", exact: true }).last().click();
  const refused = await post("delete_connection", { connection_id: await connectionId() });
  expect(refused.status()).toBe(409);
  expect(await refused.json()).toMatchObject({ code: "CONNECTION_IN_USE" });

  async function connectionId(): Promise<string> {
    const { data } = await (await post("list_connections", {})).json();
    return data.find((connection: { name: string }) => connection.name === name).connection_id;
  }
});

test("a connection is created, renamed, given a new secret and deleted by keyboard", async ({
  signedInPage: page,
  service,
}) => {
  serveModels(service);
  const name = `API ${Date.now()}`;
  await page.goto("/connections");
  await expect(page.getByRole("heading", { level: 1, name: "Connections" })).toBeVisible();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New connection" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByRole("textbox", { name: "Token" }).fill("token-of-the-past");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Allowed hosts")).toHaveAccessibleDescription(/Allowed hosts is required\.$/);
  await dialog.getByLabel("Allowed hosts").fill(service.url);
  await dialog.getByLabel("Test URL").fill(`${service.url}/v1/models`);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("Incorrect API key provided.");
  expect(await findFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save anyway" }).click();
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Expired");

  const choose = async (item: string) => {
    await page.getByRole("button", { name: `More for ${name}` }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: item }).press("Enter");
  };
  await choose("Replace credentials…");
  const replacing = page.getByRole("dialog", { name: `Replace credentials of ${name}` });
  await expect(replacing.getByLabel("Allowed hosts")).toHaveValue(service.url);
  await expect(replacing.getByRole("textbox", { name: "Token" })).toHaveValue("");
  await replacing.getByRole("textbox", { name: "Token" }).fill(KEY);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Connected");

  await choose("Test");
  await expect(page.getByRole("dialog", { name: `${name} works` })).toContainText("answered 200.");
  await page.keyboard.press("Escape");
  await choose("Rename…");
  await page
    .getByRole("dialog", { name: `Rename ${name}` })
    .getByLabel("Name")
    .fill(`${name} two`);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row").filter({ hasText: `${name} two` })).toBeVisible();
  await page.getByRole("button", { name: `More for ${name} two` }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page
    .getByRole("alertdialog", { name: `Delete ${name} two?` })
    .getByRole("button", { name: "Delete connection" })
    .click();
  await expect(page.getByText(`${name} two deleted.`)).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: name })).toBeHidden();
});

const BILLS = `openapi: 3.1.0
info: { title: Bills }
paths:
  /bills/{bill_id}:
    get:
      operationId: getBill
      summary: Get a bill
      parameters:
        - { name: bill_id, in: path, required: true, schema: { type: string } }
        - { name: Connection, in: header, schema: { type: string } }
`;

test("a connector is built from a document, tested, and called by a published workflow", async ({
  signedInPage: page,
  product,
  service,
  api,
}) => {
  test.slow();
  service.answerWith(({ path }) => ({ json: { path, total: 42 } }));
  const slug = `bills-${Date.now()}`;
  await page.setViewportSize({ width: 1600, height: 1000 });
  await page.goto("/connections/build");
  const file = { name: "bills.yaml", mimeType: "application/yaml", buffer: Buffer.from(BILLS) };
  await page.getByLabel("OpenAPI document").first().setInputFiles(file);
  await expect(page.getByText("1 operation", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Bills");
  await page.getByLabel("Slug").fill(slug);
  await page.getByRole("button", { name: "Build", exact: true }).click();
  await expect(page.getByLabel("Base URL")).toHaveAccessibleDescription("This is required.");
  await page.getByLabel("Base URL").fill(`${service.url}/v1`);
  await page.getByText("Skipped (1)").click();
  await page.getByRole("button", { name: "/paths/~1bills~1{bill_id}/get/parameters/1" }).click();
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toContain("name: Connection");
  await page.getByRole("button", { name: "Build", exact: true }).click();

  await expect(page).toHaveURL(new RegExp(`/connections/connectors/${slug}$`));
  await expect(page.getByRole("button", { name: "Test Get a bill" })).toBeVisible();
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Test Get a bill" }).click();
  await page.getByLabel("path.bill_id").fill("A-7");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByRole("region", { name: "Result" })).toContainText(`GET ${service.url}/v1/bills/A-7 200`);
  await expect(page.getByRole("button", { name: "Send request" })).toBeEnabled();
  expect(await findFaults(page)).toEqual([]);

  const post = async (operation: string, data: unknown) =>
    (await page.request.post(`/api/web/${operation}`, { headers: { origin: product.url }, data })).json();
  const { workflow_id: id } = await post("create_workflow", { name: "Read a bill", definition: readingBills() });
  await page.goto(`/workflows/${id}`);
  await card(page, "Call").click();
  const panel = page.getByRole("complementary", { name: "Settings for Call" });
  await panel.getByLabel("Service").selectOption(slug);
  await panel.getByLabel("Operation").selectOption("Get a bill");
  await panel
    .getByRole("group", { name: "Path" })
    .getByRole("textbox", { name: "bill_id" })
    .fill("{{action_input.id}}");
  await page.keyboard.press("Escape");
  await saved(page);
  await post("deploy_workflow", { workflow_id: id, slug });
  const called = await api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input: { id: "B-8" } } });
  const { run_id } = await called.json();
  const answered = await api.get(`/api/v1/runtime/runs/${run_id}`, { headers: { prefer: "wait=25" } });
  expect(await answered.json()).toMatchObject({ status: "succeeded", output: { total: 42 } });
  expect(service.requests.at(-1)?.path).toBe("/v1/bills/B-8");

  await page.goto(`/connections/connectors/${slug}?tab=versions`);
  await expect(page.getByRole("link", { name: "Read a bill v1" })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("dialog", { name: "Bills is in use" })).toContainText("Read a bill");
});

/** Returns a workflow with a step that has no operation yet. */
function readingBills() {
  const node = (id: string, type: string, y: number, data: object) => ({ id, type, position: { x: 0, y }, data });
  return {
    nodes: [
      node("start", "action_input", 0, { properties: [{ name: "id", type: "string", required: true }] }),
      node("call", "connector", 150, { name: "Call", connector: "http", operation: "request", params: {} }),
      node("end", "return_output", 300, {
        properties: [{ name: "total", type: "number", value: "{{call.body.total}}" }],
      }),
    ],
    edges: [
      { id: "a", source: "start", target: "call" },
      { id: "b", source: "call", target: "end" },
    ],
  };
}
