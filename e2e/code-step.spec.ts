import type { Page } from "playwright/test";
import { expectNoFaultInEitherTheme } from "#e2e/accessibility";
import { card, createWorkflow, edge, node, readDraft } from "#e2e/canvas-drawing";
import { expect, test } from "#e2e/fixtures";

const SOURCE = "export default async (input) => {\n  return { total: 0 };\n};\n";

/** A workflow with a list as input, and a code step that reads the list. */
const ORDERS = {
  nodes: [
    node("shape", "action_input", { x: 0, y: 0 }, { name: "Action Input", properties: [] }),
    node(
      "orders",
      "transform",
      { x: 0, y: 160 },
      {
        name: "Orders",
        fields: [
          {
            name: "list",
            value: [
              { sku: "A-1", price: 5 },
              { sku: "B-2", price: 7 },
            ],
          },
        ],
      },
    ),
    node("sum", "code", { x: 0, y: 320 }, { name: "Sum", source: SOURCE, input: { orders: "{{orders.list}}" } }),
    node("return_output", "return_output", { x: 0, y: 480 }, { name: "Return Output", properties: [] }),
  ],
  edges: [edge("shape", "orders"), edge("orders", "sum"), edge("sum", "return_output")],
};

const editor = (page: Page) => page.getByRole("textbox", { name: "TypeScript", exact: true });
const options = (page: Page) => page.getByRole("listbox", { name: "Completions" }).getByRole("option");
const problems = (page: Page) => page.getByRole("list", { name: "Problems in the code" });
const workspace = (page: Page) => page.getByRole("region", { name: "Workspace for Sum" });
const output = (page: Page) => page.getByRole("region", { name: "output", exact: true });
const consoleLines = (page: Page) => page.getByRole("list", { name: "Console output" }).getByRole("listitem");

async function openDrawing(page: Page, url: string, width = 1440): Promise<string> {
  await page.setViewportSize({ width, height: 900 });
  const id = await createWorkflow(page, url, "Code", ORDERS);
  await page.goto(`/workflows/${id}`);
  return id;
}

async function typeAll(page: Page, text: string): Promise<void> {
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

test("by keyboard: code is expanded, completed from earlier steps, corrected, run and read", async ({
  signedInPage: page,
  product,
}) => {
  const id = await openDrawing(page, product.url);
  await card(page, "Sum").click();
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+Shift+e");
  await expect(workspace(page)).toBeVisible();
  await expect(editor(page)).toBeFocused();

  await test.step("a property of an earlier step's list is completed", async () => {
    await typeAll(page, "return input.orders.map((order) => order");
    await page.keyboard.type(".pr");
    await expect(options(page).first()).toContainText("price");
    await page.keyboard.press("Enter");
    await expect(editor(page)).toContainText("order.price");
    await expect(workspace(page)).toBeVisible();
  });

  await test.step("a syntax error has the place and words of the publish check", async () => {
    await typeAll(page, "const a = 1;\nconst b = ;");
    await expect(problems(page).getByRole("button")).toHaveText("Line 2, column 11: Expression expected");
    await problems(page).getByRole("button").press("Enter");
    await expect(editor(page)).toBeFocused();
  });

  await test.step("an unknown property is a warning with the nearest name", async () => {
    await typeAll(page, "return input.ordres;");
    await expect(problems(page).getByRole("button")).toHaveText(
      'Line 1, column 14: input has no "ordres"; did you mean "orders"?',
    );
  });

  await test.step("a run shows its console and its result", async () => {
    const source = 'console.log("rows", input.orders.length);\nreturn { total: input.orders[1].price };';
    await typeAll(page, source);
    await expect(problems(page)).toBeHidden();
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(consoleLines(page)).toHaveText(["rows 2"]);
    await expect(output(page)).toContainText("total: 7");
    await expect.poll(async () => (await readDraft(page, product.url, id)).nodes[2]?.data.source).toBe(source);
  });

  await test.step("a thrown error leads to its line", async () => {
    await typeAll(page, 'console.warn("careful");\nconst rows = null;\nreturn rows.length;');
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(consoleLines(page)).toHaveText(["[warn] careful"]);
    await expect(problems(page).getByRole("button")).toContainText("Line 3 of the last run: TypeError");
  });
});

test("Tab leaves the editor, Ctrl+M makes it indent, and Escape restores it", async ({
  signedInPage: page,
  product,
}) => {
  await openDrawing(page, product.url);
  await card(page, "Sum").click();
  await editor(page).focus();
  await expect(editor(page)).toHaveAccessibleDescription("Tab leaves the editor. Press Ctrl+M to indent with Tab.");
  await page.keyboard.press("Tab");
  await expect(editor(page)).not.toBeFocused();

  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("Control+m");
  await expect(editor(page)).toHaveAccessibleDescription(/^Tab indents\. Press Escape/);
  await page.keyboard.press("Tab");
  await expect(editor(page)).toBeFocused();
  await expect(editor(page).locator(".cm-line").first()).toHaveText(/^ {2}export/);
  await page.keyboard.press("Escape");
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(editor(page)).not.toBeFocused();
});

test("by mouse: the editor is expanded with its undo history, searched, run and put back into the panel", async ({
  signedInPage: page,
  product,
}) => {
  await openDrawing(page, product.url, 1680);
  await card(page, "Sum").click();
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.insertText("// first\n");
  await page.getByRole("button", { name: "Expand the editor" }).click();
  await expect(workspace(page)).toBeVisible();
  await expect(editor(page)).toContainText("// first");
  await test.step("it is as high as the screen allows, with room for a problem below", async () => {
    const box = await page
      .locator(".cm-editor")
      .filter({ has: editor(page) })
      .boundingBox();
    expect(box?.height).toBeGreaterThan(400);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(860);
  });
  await expect(page.locator(".cm-lineNumbers .cm-gutterElement").filter({ hasText: /^2$/ })).toBeVisible();

  await test.step("undo reaches what was typed in the panel", async () => {
    await editor(page).focus();
    await page.keyboard.press("ControlOrMeta+z");
    await expect(editor(page)).not.toContainText("// first");
    await page.keyboard.press("ControlOrMeta+Shift+z");
    await expect(editor(page)).toContainText("// first");
  });

  await test.step("find searches the code, not the drawing", async () => {
    await page.keyboard.press("ControlOrMeta+f");
    await expect(page.getByRole("textbox", { name: "Find", exact: true })).toBeFocused();
    await expect(page.getByLabel("Find in this workflow").first()).toBeHidden();
    await page.keyboard.type("total");
    await expect(page.locator(".cm-searchMatch")).toHaveText("total");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("textbox", { name: "Find", exact: true })).toBeHidden();
    await expect(workspace(page)).toBeVisible();
  });

  await page.getByRole("button", { name: "Test step", exact: true }).click();
  await expect(output(page)).toContainText("total: 0");
  await expectNoFaultInEitherTheme(page);
  await page.getByRole("button", { name: "Show the code in the panel" }).click();
  await expect(workspace(page)).toBeHidden();
  await expect(editor(page)).toBeVisible();
});
