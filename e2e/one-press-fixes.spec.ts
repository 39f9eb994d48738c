import type { Page } from "playwright/test";
import { expectNoFaultInEitherTheme } from "#e2e/accessibility";
import { card, createWorkflow, edge, node, readDraft } from "#e2e/canvas-drawing";
import { saved } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";

const START = node("action_input", "action_input", { x: 0, y: 0 }, { name: "Action Input", properties: [] });
const END = node("end", "return_output", { x: 0, y: 340 }, { name: "Return Output", properties: [] });

function calling(data: Record<string, unknown>) {
  const call = node("call", "connector", { x: 0, y: 160 }, { name: "Call", ...data });
  return { nodes: [START, call, END], edges: [edge("action_input", "call"), edge("call", "end")] };
}

async function ask(page: Page, url: string, operation: string, data: object) {
  const answer = await page.request.post(`/api/web/${operation}`, { headers: { origin: url }, data });
  expect(answer.status(), operation).toBeLessThan(300);
  return answer.json();
}

async function createConnection(page: Page, url: string, hosts: string) {
  const name = `Api ${Date.now().toString(36)}`;
  const fields = { token: "token-of-the-test", hosts };
  const input = { connector: "http", auth: "bearer", name, fields };
  return (await ask(page, url, "create_connection", input)).connection;
}

const problems = (page: Page) => page.getByRole("button", { name: /\d (problem|warning)s?$/ });

test("a host that the connection does not allow is allowed with one press, and the workflow can be published", async ({
  signedInPage: page,
  product,
  service,
}) => {
  const { connection_id } = await createConnection(page, product.url, "api.example.com");
  const call = { connector: "http", operation: "request", connection_id, params: { method: "GET", url: service.url } };
  const id = await createWorkflow(page, product.url, "Refused host", calling(call));
  const refused = await page.request.post("/api/web/deploy_workflow", {
    headers: { origin: product.url },
    data: { workflow_id: id, slug: `refused-${Date.now().toString(36)}` },
  });
  expect((await refused.json()).details).toMatchObject([{ code: "HOST_NOT_ALLOWED", origin: service.url }]);
  await page.goto(`/workflows/${id}`);
  await problems(page).click();
  await expectNoFaultInEitherTheme(page);
  await page.getByRole("button", { name: `Allow ${service.url}`, exact: true }).click();
  await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  const deployed = await ask(page, product.url, "deploy_workflow", {
    workflow_id: id,
    slug: `allowed-${Date.now().toString(36)}`,
  });
  expect(deployed.version).toBe(1);
});

test("a host is allowed with the keyboard next to the step's connection", async ({
  signedInPage: page,
  product,
  service,
}) => {
  const { connection_id } = await createConnection(page, product.url, "api.example.com");
  const call = { connector: "http", operation: "request", connection_id, params: { method: "GET", url: service.url } };
  const id = await createWorkflow(page, product.url, "Refused host in the panel", calling(call));
  await page.goto(`/workflows/${id}`);
  await card(page, "Call").click();
  const allow = page.getByRole("complementary").getByRole("button", { name: `Allow ${service.url}`, exact: true });
  await allow.focus();
  await page.keyboard.press("Enter");
  await expect(allow).toBeHidden();
  await expect(page.getByText(`Its secret is sent only to api.example.com, ${service.url}`)).toBeVisible();
});

test("a step of an own connector gets the only connection that fits, or a new one with its host", async ({
  signedInPage: page,
  product,
  service,
}) => {
  const slug = `own${Date.now().toString(36)}`;
  const { build_id } = await ask(page, product.url, "build_connector", {
    slug,
    name: "Own",
    base_url: service.url,
    auth: "basic",
    operations: [{ name: "list_orders", title: "List orders", method: "GET", path: "/orders" }],
  });
  await expect.poll(async () => (await ask(page, product.url, "get_build_status", { build_id })).status).toBe("ready");
  const definition = calling({ connector: slug, operation: "list_orders", params: {} });
  const id = await createWorkflow(page, product.url, "Own connector", definition);
  await page.goto(`/workflows/${id}`);
  await problems(page).click();
  await page.getByRole("button", { name: "New connection" }).click();
  const dialog = page.getByRole("dialog", { name: "New connection" });
  await dialog.getByLabel("Authentication").selectOption("basic");
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue(new URL(service.url).host);
  await expect(dialog.getByLabel("Allowed hosts")).toHaveValue(service.url);
  await dialog.getByLabel("Username").fill("ada");
  await dialog.getByRole("button", { name: "Test and save" }).click();
  await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  await saved(page);
  const second = await createWorkflow(page, product.url, "Own connector again", definition);
  await page.goto(`/workflows/${second}`);
  await problems(page).click();
  await page.getByRole("button", { name: "Apply fix" }).click();
  await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  await saved(page);
  const [chosen] = (await readDraft(page, product.url, id)).nodes.filter((one) => one.id === "call");
  const [fixed] = (await readDraft(page, product.url, second)).nodes.filter((one) => one.id === "call");
  expect(fixed?.data.connection_id).toBe(chosen?.data.connection_id);
});

test("a trigger without steps is a warning whose button adds one", async ({ signedInPage: page, product }) => {
  const trigger = node("trigger", "trigger", { x: 0, y: 0 }, { name: "Webhook", kind: "webhook" });
  const id = await createWorkflow(page, product.url, "Alone", { nodes: [trigger], edges: [] });
  await page.goto(`/workflows/${id}`);
  await problems(page).click();
  await page.getByRole("dialog", { name: "Problems" }).getByRole("button", { name: "Add step" }).click();
  await page.getByRole("combobox", { name: "Search steps" }).fill("delay");
  await page.keyboard.press("Enter");
  await saved(page);
  await expect
    .poll(async () => (await readDraft(page, product.url, id)).edges)
    .toContainEqual(expect.objectContaining({ source: "trigger", target: "delay" }));
});
