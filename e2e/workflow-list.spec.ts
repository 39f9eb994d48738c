import { expect, test } from "#e2e/fixtures";

test("a workflow is created, found by its name, and deleted", async ({ signedInPage: page }) => {
  await page.goto("/workflows");
  await expect(page.getByRole("button", { name: "New workflow" })).toBeVisible();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New workflow" });
  await dialog.getByRole("button", { name: "Create and open" }).click();
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription("Name the workflow.");
  await dialog.getByLabel("Name").fill("Проверка поиска 7");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/workflows\/[0-9a-f-]{36}/);

  await page.goto("/workflows");
  await page.getByRole("searchbox", { name: "Search workflows" }).fill("поиска");
  await expect(page).toHaveURL(/q=/);
  const row = page.getByRole("row").filter({ hasText: "Проверка поиска 7" });
  await expect(row).toContainText("Draft only");
  await expect(page.getByRole("row")).toHaveCount(2);

  await row.getByRole("button", { name: "More for Проверка поиска 7" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete workflow" }).click();
  await expect(page.getByText("Workflow “Проверка поиска 7” deleted.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
  await page.getByRole("button", { name: "Clear the search" }).last().click();
  await expect(page).toHaveURL(/\/workflows$/);
});

test("deleting a published workflow says what its callers get, and has to be typed", async ({
  signedInPage: page,
  product,
}) => {
  // Searched for: what other specs have drawn may fill the first page.
  await page.goto("/workflows?q=Hello");
  const row = page.getByRole("row").filter({ hasText: product.slug });
  await row.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("409 ACTION_UNAVAILABLE");
  const confirm = question.getByRole("button", { name: "Archive the action and delete" });
  await expect(confirm).toBeDisabled();
  await question.getByLabel(/^Type/).fill(product.slug);
  await expect(confirm).toBeEnabled();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
});
