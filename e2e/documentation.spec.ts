import { expectNoFaultInEitherTheme } from "#e2e/accessibility";
import { expect, test } from "#e2e/fixtures";

test("anyone can search the documentation by keyboard alone, without signing in", async ({ page }) => {
  await page.goto("/docs");
  await expect(page.getByRole("heading", { level: 1, name: "Signalbox documentation" })).toBeVisible();
  await page.keyboard.press("/");
  const box = page.getByRole("combobox", { name: "Search the documentation" });
  await expect(box).toBeFocused();
  await box.pressSequentially("rotate a key");
  const first = page.getByRole("option").first();
  await expect(first).toContainText("Rotate an API key");
  await expect(first).toHaveAttribute("aria-selected", "true");
  await expectNoFaultInEitherTheme(page, "the results of a search");
  await page.keyboard.press("ArrowDown");
  await expect(first).toHaveAttribute("aria-selected", "false");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/guides\/secure#rotate-an-api-key$/);
  await expect(page.getByRole("heading", { name: "Rotate an API key" })).toBeInViewport();

  await box.fill("qqqqzzzz");
  await expect(page.getByRole("search").getByRole("status")).toHaveText(/^No results for “qqqqzzzz”/);
  await page.keyboard.press("Escape");
  await expect(box).toHaveAttribute("aria-expanded", "false");
});

test("a page leads to the next one, to its own headings, and past the navigation", async ({ page }) => {
  await page.goto("/docs/guides/webhooks");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page
    .getByRole("navigation", { name: "On this page" })
    .getByRole("link", { name: "Inspect deliveries" })
    .click();
  await expect(page).toHaveURL(/#inspect-deliveries$/);
  await page.getByRole("navigation", { name: "Previous and next page" }).getByRole("link", { name: /Next/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Schedules" })).toBeVisible();
  expect((await page.request.get("/docs/no-such-page")).status()).toBe(404);
});
