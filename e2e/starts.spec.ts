import type { Page } from "playwright/test";
import { findFaults } from "#e2e/accessibility";
import { card, createWorkflow, edge, node } from "#e2e/canvas-drawing";
import { expect, test } from "#e2e/fixtures";

const saved = (page: Page) => expect(page.locator("[data-save-status]")).toHaveAttribute("data-save-status", "saved");

async function activate(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Activate" }).click();
  await page.getByRole("dialog", { name: "Activate" }).getByRole("button", { name: "Activate" }).click();
  await page
    .getByRole("dialog", { name: "Version 1 is live" })
    .getByRole("button", { name: "Back to the canvas" })
    .click();
}

const AT = (y: number) => ({ x: 0, y });
const reply = [
  { name: "status", type: "number", required: true, value: "201" },
  { name: "headers", type: "object", value: { "content-type": "text/html" } },
  { name: "body", type: "string", value: "<h1>Hello {{trigger.output.body.name}}</h1>" },
];

test("a webhook answers a GET request at the URL of the draft with what the workflow returns", async ({
  signedInPage: page,
  product,
  playwright,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  const id = await createWorkflow(page, product.url, "Greeter", {
    nodes: [
      node("start", "trigger", AT(0), { name: "Webhook", kind: "webhook", scheme: "auto" }),
      node("reply", "return_output", AT(160), { name: "Reply", properties: reply }),
    ],
    edges: [edge("start", "reply")],
  });
  await page.goto(`/workflows/${id}`);
  await card(page, "Webhook").click();
  await page.getByRole("checkbox", { name: "GET" }).click();
  await page.getByRole("combobox", { name: "Response" }).selectOption("What the run returns");
  await saved(page);
  const url = await page
    .getByRole("region", { name: "URL" })
    .getByText(/\/webhooks\/[0-9a-f-]{36}$/)
    .textContent();
  expect(await findFaults(page)).toEqual([]);

  const sender = await playwright.request.newContext();
  const early = await sender.get(`${url}?name=Ada`);
  expect([early.status(), (await early.json()).error]).toEqual([404, expect.stringContaining("Publish the workflow")]);
  await activate(page);
  const answer = await sender.get(`${url}?name=Ada`);
  expect([answer.status(), await answer.text()]).toEqual([201, "<h1>Hello Ada</h1>"]);
  expect(answer.headers()).toMatchObject({
    "content-type": "text/html",
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
    "x-run-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  await sender.dispose();
});

test("a member runs a published workflow, and its failure starts the workflow that waits for failures", async ({
  signedInPage: page,
  product,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  const failing = await createWorkflow(page, product.url, "Breaks", {
    nodes: [
      node("start", "action_input", AT(0), { properties: [{ name: "order", type: "string", required: true }] }),
      node("broken", "code", AT(160), { name: "Broken step", source: "throw new Error('no such order')" }),
      node("end", "return_output", AT(320), { properties: [] }),
    ],
    edges: [edge("start", "broken"), edge("broken", "end")],
  });
  const deployed = await page.request.post("/api/web/deploy_workflow", {
    headers: { origin: product.url },
    data: { workflow_id: failing, slug: `breaks-${Date.now()}` },
  });
  expect(deployed.status()).toBe(200);
  const watching = await createWorkflow(page, product.url, "On failure", {
    nodes: [
      node("start", "trigger", AT(0), { name: "Schedule", kind: "schedule", mode: "interval", seconds: 3_600 }),
      node("note", "transform", AT(160), {
        name: "Note",
        fields: [{ name: "text", value: "{{trigger.output.run.error.message}}" }],
      }),
    ],
    edges: [edge("start", "note")],
  });
  await page.goto(`/workflows/${watching}`);
  await card(page, "Schedule").click();
  await page.getByRole("combobox", { name: "Starts on" }).selectOption("Failure: a run of another workflow fails");
  await page.getByRole("combobox", { name: "When runs fail of" }).selectOption("Only these workflows");
  await page.getByRole("checkbox", { name: "Breaks", exact: true }).click();
  await saved(page);
  expect(await findFaults(page)).toEqual([]);
  await activate(page);

  await page.goto(`/workflows/${failing}`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Run Breaks" });
  await dialog.getByRole("textbox", { name: /^order/ }).fill("A-1");
  expect(await findFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(page.getByText("Failed").first()).toBeVisible();

  await page.goto(`/workflows/${watching}/runs`);
  await expect(page.getByText("Succeeded").first()).toBeVisible();
});
