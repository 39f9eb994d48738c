import type { Page } from "playwright/test";
import { expectNoFaultInEitherTheme } from "#e2e/accessibility";
import { card, createWorkflow, edge, node, readDraft } from "#e2e/canvas-drawing";
import { saved } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";

const transform = (id: string, y: number, name: string, fields: Record<string, string>) =>
  node(
    id,
    "transform",
    { x: 0, y },
    {
      name,
      fields: Object.entries(fields).map(([field, value]) => ({ name: field, value })),
    },
  );

/**
 * A workflow of an input, two steps, and an output. Net reads the input, Gross reads Net, and the output reads Gross.
 */
const PRICE = {
  nodes: [
    node(
      "start",
      "action_input",
      { x: 0, y: 0 },
      {
        name: "Order",
        properties: [{ name: "email", type: "string", required: true }],
      },
    ),
    transform("net", 180, "Net", { to: "{{action_input.email}}", value: "10" }),
    transform("gross", 360, "Gross", { text: "{{net.to}}: {{net.value}}" }),
    node(
      "end",
      "return_output",
      { x: 0, y: 540 },
      {
        name: "Answer",
        properties: [{ name: "text", type: "string", value: '{{gross.text ?? "none"}}' }],
      },
    ),
  ],
  edges: [edge("start", "net"), edge("net", "gross"), edge("gross", "end")],
};

const unique = (word: string) => `${word}-${Date.now().toString(36)}`;

async function ask(page: Page, url: string, operation: string, data: object) {
  const answer = await page.request.post(`/api/web/${operation}`, { headers: { origin: url }, data });
  expect(answer.status(), operation).toBeLessThan(300);
  return answer.json();
}

/** Waits until a run has ended. */
async function ended(page: Page, url: string, runId: string) {
  let run = { status: "", steps: [] as { step_id: string; status: string; skip_reason?: string }[], output: {} };
  await expect
    .poll(async () => {
      run = await ask(page, url, "get_run_status", { run_id: runId });
      return run.status;
    })
    .toMatch(/succeeded|failed/);
  return run;
}

const tabs = (page: Page) => page.getByRole("navigation", { name: "Workflow" });

test("the tabs of a workflow are pages with addresses, titles and history, by mouse and by keyboard", async ({
  signedInPage: page,
  product,
}) => {
  test.slow();
  const id = await createWorkflow(page, product.url, "Framed", PRICE);
  await page.goto(`/workflows/${id}`);
  await expect(card(page, "Net")).toBeVisible();
  await tabs(page).getByRole("link", { name: "Runs" }).click();
  await expect(page).toHaveURL(new RegExp(`/workflows/${id}/runs$`));
  await expect(page).toHaveTitle(/Runs of Framed/);
  await expect(page.getByText("No runs yet")).toBeVisible();
  await tabs(page).getByRole("link", { name: "Versions" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(/Versions of Framed/);
  await expect(tabs(page).getByRole("link", { name: "Versions" })).toHaveAttribute("aria-current", "page");
  await expect(tabs(page).getByRole("link", { name: "Versions" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(/Settings of Framed/);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`/workflows/${id}/versions$`));
  await page.setViewportSize({ width: 375, height: 700 });
  await tabs(page).getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("region", { name: "General" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(
    true,
  );
});

test("the settings rename a workflow and leave its drawing as it is", async ({ signedInPage: page, product }) => {
  const id = await createWorkflow(page, product.url, "Old name", PRICE);
  await page.goto(`/workflows/${id}/settings`);
  await page.getByRole("textbox", { name: /^Name/ }).fill("New name");
  await page.getByRole("textbox", { name: /^Description/ }).fill("Adds the tax.");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expectNoFaultInEitherTheme(page, "settings of a workflow");
  const draft = await readDraft(page, product.url, id);
  expect(draft.nodes.map((drawn) => drawn.id)).toEqual(["start", "net", "gross", "end"]);
  await tabs(page).getByRole("link", { name: "Editor" }).click();
  await expect(page.getByRole("textbox", { name: "Workflow name" })).toHaveValue("New name");
});

test("a disabled step is dimmed, skipped with its reason, and enabled again by one key", async ({
  signedInPage: page,
  product,
}) => {
  const id = await createWorkflow(page, product.url, "Switched off", PRICE);
  await page.goto(`/workflows/${id}`);
  await card(page, "Gross").click();
  await page.keyboard.press("Escape");
  await card(page, "Gross").focus();
  await page.keyboard.press("d");
  await expect(card(page, "Gross").getByText("Disabled", { exact: true })).toBeVisible();
  await saved(page);
  const { run_id: runId } = await ask(page, product.url, "test_workflow", {
    workflow_id: id,
    input: { email: "ann@example.com" },
  });
  const run = await ended(page, product.url, runId);
  expect(run.status).toBe("succeeded");
  expect(run.output).toEqual({ text: "none" });
  expect(run.steps.find((step) => step.step_id === "gross")).toMatchObject({
    status: "skipped",
    skip_reason: "disabled",
  });
  await card(page, "Gross").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Enable" }).click();
  await expect(card(page, "Gross").getByText("Disabled", { exact: true })).toBeHidden();
});

test("selected steps become a sub-workflow that runs, and one undo restores them", async ({
  signedInPage: page,
  product,
}) => {
  test.slow();
  const id = await createWorkflow(page, product.url, "Extracting", PRICE);
  await page.goto(`/workflows/${id}`);
  await card(page, "Net").click();
  await page.keyboard.press("Escape");
  await card(page, "Net").click();
  await page.keyboard.press("Escape");
  await card(page, "Net").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+ArrowDown");
  await card(page, "Gross").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Extract as sub-workflow…" }).click();
  const dialog = page.getByRole("dialog", { name: "Extract as sub-workflow" });
  await expect(dialog.getByText("{{action_input.email}}")).toBeVisible();
  const slug = unique("price-text");
  await dialog.getByRole("textbox", { name: /Name/ }).fill("Price text");
  await dialog.getByRole("textbox", { name: /Slug/ }).fill(slug);
  await dialog.getByRole("button", { name: "Extract and publish" }).click();
  await expect(card(page, "Price text")).toBeVisible();
  await expect(card(page, "Net")).toBeHidden();
  await saved(page);
  const { run_id: runId } = await ask(page, product.url, "test_workflow", {
    workflow_id: id,
    input: { email: "ann@example.com" },
  });
  const run = await ended(page, product.url, runId);
  expect(run.status).toBe("succeeded");
  expect(JSON.stringify(run.output)).toContain(": 10");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(card(page, "Net")).toBeVisible();
  await expect(card(page, "Gross")).toBeVisible();
  await expect(card(page, "Price text")).toBeHidden();
});

test("a run opens in the editor with its values, as test input and as pins, and says how the draft differs", async ({
  signedInPage: page,
  product,
}) => {
  test.slow();
  const id = await createWorkflow(page, product.url, "Debugged", PRICE);
  const slug = unique("debugged");
  await ask(page, product.url, "deploy_workflow", { workflow_id: id, slug });
  const { run_id: runId } = await ask(page, product.url, "run_action", { slug, input: { email: "ann@example.com" } });
  await ended(page, product.url, runId);
  const draft = await readDraft(page, product.url, id);
  const nodes = draft.nodes.map((drawn) =>
    drawn.id === "gross" ? { ...drawn, data: { ...drawn.data, name: "Gross price" } } : drawn,
  );
  await ask(page, product.url, "update_workflow", { workflow_id: id, definition: { ...draft, nodes } });

  await page.goto(`/runs/${runId}?step=net`);
  await page.getByRole("complementary", { name: "Details" }).getByRole("link", { name: "Open in editor" }).click();
  await expect(page).toHaveURL(new RegExp(`/workflows/${id}\\?run=${runId}&node=net`));
  const bar = page.getByRole("region", { name: "Run in the editor" });
  await expect(bar).toContainText("of version 1");
  await expect(bar).toContainText("The draft differs from version 1: 1 step changed.");
  await expect(page.getByRole("region", { name: "Last result" })).toContainText("[REDACTED_EMAIL]");
  await expectNoFaultInEitherTheme(page, "a run in the editor");
  await bar.getByRole("button", { name: "Pin outputs" }).click();
  await expect(page.getByText(/2 outputs pinned. 2 with redacted values/)).toBeVisible();
  await expect(card(page, "Net").getByText("Pinned")).toBeVisible();
  await bar.getByRole("button", { name: "Use as test input" }).click();
  await expect(page.getByRole("textbox", { name: /email/ })).toHaveValue("[REDACTED_EMAIL]");
  await bar.getByRole("button", { name: "Close the run" }).click();
  await expect(bar).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/workflows/${id}\\?node=net$`));
});
