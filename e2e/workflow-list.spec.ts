import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright/test";
import { expectNoFaultInEitherTheme, findFaults } from "#e2e/accessibility";
import { expectExpression } from "#e2e/canvas-drawing";
import { card } from "#e2e/draw-workflow";
import { expect, test } from "#e2e/fixtures";

test("a workflow is created, found, tagged, exported, imported, archived and deleted", async ({
  signedInPage: page,
}) => {
  await page.goto("/workflows");
  await expect(page.getByRole("button", { name: "New workflow" })).toBeVisible();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New workflow" });
  await dialog.getByRole("button", { name: "Create and open" }).click();
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription("Enter a name for the workflow.");
  await dialog.getByLabel("Name").fill("Проверка поиска 7");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/workflows\/[0-9a-f-]{36}/);

  await page.goto("/workflows");
  await page.getByRole("searchbox", { name: "Search workflows" }).fill("поиска");
  await expect(page).toHaveURL(/q=/);
  const row = page.getByRole("row").filter({ hasText: "Проверка поиска 7" });
  await expect(row).toContainText("Draft only");
  await expect(page.getByRole("row")).toHaveCount(2);

  const act = async (deed: string) => {
    await row.getByRole("button", { name: "More for Проверка поиска 7" }).click();
    await page.getByRole("menuitem", { name: deed }).click();
  };
  await act("Tags…");
  await page.getByRole("dialog", { name: "Tags" }).getByLabel("Add").fill("проба");
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Tag" }).selectOption("проба");
  await expect(row).toContainText("проба");

  await act("Archive…");
  await page.getByRole("alertdialog").getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("1 workflow archived.")).toBeVisible();
  await page.goto("/workflows?q=поиска&state=archived");
  await act("Restore");
  await expect(page.getByText("1 workflow restored.")).toBeVisible();

  await page.goto("/workflows?q=поиска");
  const downloading = page.waitForEvent("download");
  await act("Export as JSON");
  const exported = await readFile(await (await downloading).path(), "utf8");
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByLabel("Document").fill(exported.replace("Проверка поиска 7", "Ввезённый 7"));
  await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
  const name = page.getByRole("textbox", { name: "Workflow name" });
  await expect(name).toHaveValue("Ввезённый 7");
  await page.goto("/workflows?q=Ввезённый");
  await page.getByRole("button", { name: "More for Ввезённый 7" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(name).toHaveValue("Ввезённый 7 (copy)");

  await page.goto("/workflows?q=поиска");
  await act("Delete…");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete workflow" }).click();
  await expect(page.getByText("Workflow “Проверка поиска 7” deleted.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.getByRole("button", { name: "Clear search" }).last().click();
  await expect(page).toHaveURL(/\/workflows$/);
});

test("deleting a published workflow shows what its callers get, and requires typing the slug", async ({
  signedInPage: page,
  product,
}) => {
  // Searches, because other specs' drafts may fill the first page.
  await page.goto("/workflows?q=Hello");
  const row = page.getByRole("row").filter({ hasText: product.slug });
  await expect(row.locator("[data-drawing] svg")).toBeVisible();
  await row.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("409 ACTION_UNAVAILABLE");
  const confirm = question.getByRole("button", { name: "Archive action and delete" });
  await expect(confirm).toBeDisabled();
  await question.getByLabel(/^Type/).fill(product.slug);
  await expect(confirm).toBeEnabled();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
});

/** Presses Tab until the control has the focus, as a keyboard user does. */
async function tabTo(page: Page, control: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press(key);
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${control} cannot be reached with ${key}.`);
}

test("a workflow is created, drawn, mapped, connected and published by keyboard alone", async ({
  signedInPage: page,
  api,
}) => {
  test.slow();
  const { keyboard } = page;
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  await page.goto("/workflows");
  await expect(page.getByRole("button", { name: "New workflow" })).toBeVisible();
  await keyboard.press("n");
  await expect(page.getByRole("dialog").getByLabel("Name")).toBeFocused();
  await keyboard.type("Greet by keyboard");
  await keyboard.press("Enter");
  await expect(card(page, "Action Input")).toBeVisible();

  await keyboard.press("ArrowDown");
  await expect(card(page, "Action Input")).toBeFocused();
  await keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Add field" })).toBeFocused();
  await keyboard.press("Enter");
  await expect(field("Name")).toBeFocused();
  await keyboard.type("who");
  await keyboard.press("Escape");
  await expect(card(page, "Action Input")).toBeFocused();

  // Adds a step after the selected one. Its value is typed and selected from the list of earlier data.
  await keyboard.press("n");
  await expect(page.getByRole("combobox", { name: "Search steps" })).toBeFocused();
  await keyboard.type("transform");
  await keyboard.press("Enter");
  const settings = page.getByRole("complementary", { name: "Settings for Transform" });
  await expect(settings).toBeVisible();
  await expect(field("Name")).toBeFocused();
  await keyboard.type("text");
  await tabTo(page, field("Value"));
  await keyboard.type("Hello ");
  const data = settings.getByRole("tree", { name: "Data from earlier steps" });
  await tabTo(page, data.locator("[role=treeitem][tabindex='0']"));
  await keyboard.press("ArrowDown");
  await expect(data.getByRole("treeitem", { name: /^who/ })).toBeFocused();
  await keyboard.press("Enter");
  await expect(field("Value")).toBeFocused();
  await expectExpression(field("Value"), "Hello {{action_input.who}}");

  // Deletes the line and draws it again. The focus stays in place.
  await tabTo(page, settings.getByRole("button", { name: "Disconnect Return Output" }));
  await keyboard.press("Enter");
  const next = page.getByRole("combobox", { name: "After this step" });
  await expect(next).toBeFocused();
  await keyboard.type("Return");
  await expect(next.locator("option:checked")).toHaveText("Return Output");
  await keyboard.press("Enter");
  await expect(settings.getByRole("button", { name: "Return Output", exact: true })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Search steps" })).toBeHidden();
  await keyboard.press("Escape");

  await keyboard.press("n");
  await expect(page.getByRole("combobox", { name: "Search steps" })).toBeFocused();
  await keyboard.type("delay");
  await keyboard.press("Enter");
  await expect(page.getByRole("complementary", { name: "Settings for Delay" })).toBeVisible();
  await keyboard.press("Escape");
  await expect(card(page, "Delay")).toBeFocused();
  await keyboard.press("Delete");
  await expect(card(page, "Transform")).toBeFocused();

  await keyboard.press("ArrowDown");
  await expect(card(page, "Return Output")).toBeFocused();
  await keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Add field" })).toBeFocused();
  await keyboard.press("Enter");
  await expect(field("Name")).toBeFocused();
  await keyboard.type("greeting");
  await tabTo(page, field("Value"));
  await keyboard.type("{{text");
  await expect(page.getByRole("option", { name: "transform.text" })).toBeVisible();
  // The list is disabled while it updates.
  await expect(page.locator(".cm-tooltip-autocomplete-disabled")).toHaveCount(0);
  await keyboard.press("Enter");
  await expectExpression(field("Value"), "{{transform.text}}");
  await expect(page.getByText("No problems")).toBeVisible();

  await keyboard.press("Control+Shift+P");
  const dialog = page.getByRole("dialog", { name: "Activate" });
  await expect(dialog.getByRole("textbox", { name: "Slug" })).toBeFocused();
  const slug = `by-keyboard-${Date.now().toString(36)}`;
  await keyboard.type(slug);
  await expect(dialog.getByText("Available")).toBeVisible();
  expect(await findFaults(page, { part: "[role=dialog]" })).toEqual([]);
  await keyboard.press("Enter");
  const done = page.getByRole("dialog", { name: "Version 1 is live" });
  await expect(done).toBeVisible();
  await expectNoFaultInEitherTheme(page);
  await tabTo(page, done.getByRole("link", { name: "View action" }));
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: slug })).toBeVisible();
  const called = await api.post(`/api/v1/runtime/actions/${slug}/run?wait=10`, { data: { input: { who: "Ada" } } });
  expect(called.status()).toBe(202);
});
