import type { Locator, Page } from "playwright/test";
import { expectNoFaultInEitherTheme, findFaults } from "#e2e/accessibility";
import { card, createWorkflow, edge, node, readDraft } from "#e2e/canvas-drawing";
import { expect, test } from "#e2e/fixtures";

/** A workflow with a list as input, a step that reshapes it, and a step that can use both. */
const ORDERS = {
  nodes: [
    node(
      "action_input",
      "action_input",
      { x: 0, y: 0 },
      {
        name: "Action Input",
        properties: [
          { name: "customer", type: "string", required: true },
          { name: "note", type: "string", required: false },
        ],
      },
    ),
    node(
      "shape",
      "code",
      { x: 0, y: 160 },
      {
        name: "Shape",
        source:
          'export default async () => ({ "order lines": [{ sku: "A-1", "unit price": 5 }, { sku: "B-2", "unit price": 7 }], total: 12 });',
        input: {},
      },
    ),
    node("ask", "approval", { x: 0, y: 320 }, { name: "Ask", message: "Total: " }),
    node("return_output", "return_output", { x: 0, y: 480 }, { name: "Return Output", properties: [] }),
  ],
  edges: [edge("action_input", "shape"), edge("shape", "ask"), edge("ask", "return_output")],
};

const tree = (page: Page) => page.getByRole("tree", { name: "Data from earlier steps" });
const row = (page: Page, name: RegExp) => tree(page).getByRole("treeitem", { name });
const workspace = (page: Page, name: string) => page.getByRole("region", { name: `Workspace for ${name}` });
const messageField = (page: Page) => page.getByRole("textbox", { name: "Message" });

async function openDrawing(page: Page, url: string, width: number): Promise<string> {
  await page.setViewportSize({ width, height: 1000 });
  const id = await createWorkflow(page, url, "Orders", ORDERS);
  await page.goto(`/workflows/${id}`);
  return id;
}

/** Reads the approval's message from the server, after it was saved. */
function messageOf(page: Page, url: string, id: string) {
  return async () => (await readDraft(page, url, id)).nodes.find((drawn) => drawn.id === "ask")?.data.message;
}

async function openByDoubleClick(page: Page, name: string): Promise<Locator> {
  await card(page, name).dblclick({ position: { x: 120, y: 18 } });
  await expect(workspace(page, name)).toBeVisible();
  return workspace(page, name);
}

test("by mouse: a double-click opens the step full size, a click and a drag insert values, and Escape returns", async ({
  signedInPage: page,
  product,
}) => {
  const id = await openDrawing(page, product.url, 1680);
  const opened = await openByDoubleClick(page, "Ask");
  await expect(page).toHaveURL(/\?node=ask&open=full$/);
  await expect(opened.getByRole("region", { name: "Input of this step" })).toBeVisible();
  await expect(opened.getByRole("region", { name: "Output of this step" })).toBeVisible();
  await expect(row(page, /^note/)).toContainText("may be empty");

  await messageField(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await row(page, /^customer/).click();
  await expect.poll(messageOf(page, product.url, id)).toBe("Total: {{action_input.customer}}");

  await row(page, /^note/).dragTo(messageField(page), { targetPosition: { x: 4, y: 14 } });
  await expect.poll(messageOf(page, product.url, id)).toContain("{{action_input.note}}");

  await page.reload();
  await expect(workspace(page, "Ask")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(workspace(page, "Ask")).toBeHidden();
  await expect(card(page, "Ask")).toBeFocused();
  await expect(page).not.toHaveURL(/open=full/);
});

test("by keyboard: Enter opens the step, the tree inserts at the caret, and the next step is one key away", async ({
  signedInPage: page,
  product,
}) => {
  const id = await openDrawing(page, product.url, 1680);
  await card(page, "Ask").focus();
  await page.keyboard.press("Enter");
  await expect(messageField(page)).toBeFocused();
  await page.keyboard.press("ControlOrMeta+Home");
  // Follows the tab order: the tree comes before the settings.
  await row(page, /^shape/).focus();
  await page.keyboard.press("End");
  await expect(row(page, /^note/)).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(row(page, /^customer/)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(messageField(page)).toBeFocused();
  await expect.poll(messageOf(page, product.url, id)).toBe("{{action_input.customer}}Total: ");

  await page.keyboard.press("Alt+PageUp");
  await expect(workspace(page, "Shape")).toBeVisible();
  await page.keyboard.press("Alt+PageDown");
  await expect(workspace(page, "Ask")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card(page, "Ask")).toBeFocused();
});

test("a step is tested in its workspace, and its values appear in the tree, the search and the tables", async ({
  signedInPage: page,
  product,
}) => {
  const id = await openDrawing(page, product.url, 1680);
  await card(page, "Shape").focus();
  await page.keyboard.press("Enter");
  const opened = workspace(page, "Shape");
  await expect(opened).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  const output = opened.getByRole("region", { name: "Last result" });
  await output.getByRole("button", { name: "Table" }).click();
  await expect(output.getByRole("table").getByRole("row")).toHaveCount(3);
  await expect(page.getByRole("region", { name: "Test", exact: true })).toBeHidden();

  await opened.getByRole("button", { name: "Next step: Ask" }).click();
  await messageField(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.getByRole("searchbox", { name: "Search the data" }).fill("unit");
  await expect(tree(page).getByRole("treeitem")).toHaveCount(6);
  await row(page, /^unit price\W+7\W/).click();
  await expect.poll(messageOf(page, product.url, id)).toBe('Total: {{shape["order lines"][1]["unit price"]}}');

  await page.getByRole("button", { name: "Clear search" }).click();
  await row(page, /^order lines/).focus();
  await page.keyboard.press("Shift+Enter");
  const table = page.getByRole("table", { name: "order lines as a table" });
  await expect(table.getByRole("button", { name: "A-1" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(messageOf(page, product.url, id)).toContain('{{shape["order lines"][1].sku}}');

  const part = `[aria-label="Workspace for Ask"]`;
  expect(await findFaults(page, { part })).toEqual([]);
  await page.getByRole("button", { name: "Back to all data" }).click();
  expect(await findFaults(page, { part })).toEqual([]);
  await expectNoFaultInEitherTheme(page);
});

test("below 1,600 pixels the data is next to the settings, and in the panel below them", async ({
  signedInPage: page,
  product,
}) => {
  const id = await openDrawing(page, product.url, 1280);
  const opened = await openByDoubleClick(page, "Ask");
  await expect(opened.getByRole("tab", { name: "Input" })).toHaveAttribute("aria-selected", "true");
  await messageField(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await row(page, /^customer/).click();
  await expect.poll(messageOf(page, product.url, id)).toBe("Total: {{action_input.customer}}");
  await opened.getByRole("button", { name: "Show in the panel" }).click();
  await expect(page.getByRole("complementary", { name: "Settings for Ask" })).toBeVisible();
  await expect(tree(page)).toBeVisible();
});
