import type { APIRequestContext, Page } from "playwright/test";
import { expectNoFaultInEitherTheme } from "#e2e/accessibility";
import { expect, type Product, test, waitUntilIdle } from "#e2e/fixtures";
import { SIGNED_IN_PAGES } from "#e2e/page-list";
import { strayScrollBars } from "#e2e/scroll-bars";

/** Returns the pages of an action that was called once. */
async function pagesOf(api: APIRequestContext, { slug, input }: Product): Promise<{ path: string; sign: string }[]> {
  const called = await api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input } });
  const { run_id } = await called.json();
  const { workflow_id } = await (await api.get(`/api/v1/runtime/actions/${slug}`)).json();
  const fill = (text: string) =>
    text.replace("{slug}", slug).replace("{run_id}", run_id).replace("{workflow_id}", workflow_id);
  return SIGNED_IN_PAGES.map(({ path, sign }) => ({ path: fill(path), sign: fill(sign) }));
}

async function open(page: Page, { path, sign }: { path: string; sign: string }) {
  await page.goto(path);
  await expect(page.getByText(sign).filter({ visible: true }).first()).toBeVisible();
}

/** The browser's default size. It is wide enough for the panel next to a list. */
const DESK = { width: 1280, height: 720 };
const SMALLEST = { width: 320, height: 700 };

test("no page has an accessibility fault in either theme or a stray scroll bar, and each fits a screen of 320 pixels", async ({
  signedInPage: page,
  api,
  product,
}) => {
  test.slow();
  for (const target of await pagesOf(api, product)) {
    await page.setViewportSize(DESK);
    await open(page, target);
    await expectNoFaultInEitherTheme(page, target.path);
    await expect.poll(() => strayScrollBars(page), target.path).toEqual([]);
    await page.setViewportSize(SMALLEST);
    await expect.poll(() => strayScrollBars(page), `${target.path}, narrow`).toEqual([]);
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(overflow, target.path).toBe(0);
    await expect(page.getByRole("heading", { level: 1 }), target.path).toHaveCount(1);
  }
});

test("a narrow screen shows the navigation in a drawer, which works by keyboard too", async ({
  signedInPage: page,
}) => {
  await page.setViewportSize({ width: 375, height: 700 });
  await page.goto("/workflows");
  const opener = page.getByRole("button", { name: "Open navigation" });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Navigation" })).toBeVisible();
  await waitUntilIdle(page);
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();
  await opener.click();
  await page.getByRole("link", { name: "Runs" }).click();
  await expect(page).toHaveURL(/\/runs$/);
  await expect(page.getByRole("dialog", { name: "Navigation" })).toBeHidden();
});

test("a failed request shows its request id, and trying again works", async ({ signedInPage: page, product }) => {
  let isBroken = true;
  await page.route("**/api/web/list_actions", async (route) => {
    if (!isBroken) return route.continue();
    return route.fulfill({
      status: 403,
      headers: { "x-request-id": "req-1" },
      json: { error: "Not today.", code: "FORBIDDEN" },
    });
  });
  await page.goto("/actions");
  const alert = page.getByRole("alert").filter({ hasText: "Couldn't load the actions." });
  await expect(alert).toContainText("Not today.");
  await expect(alert).toContainText("req-1");
  isBroken = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("link", { name: product.slug })).toBeVisible();
});

test("the chosen theme stays after a reload", async ({ signedInPage: page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/workflows");
  await page.getByRole("button", { name: /@/ }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("G and a letter open a page, unless single-key shortcuts are switched off", async ({ signedInPage: page }) => {
  await page.goto("/workflows");
  await expect(page.getByRole("heading", { level: 1, name: "Workflows" })).toBeVisible();
  await expect(async () => {
    // The second key counts for a second only.
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await expect(page).toHaveURL(/\/runs$/, { timeout: 2_000 });
  }).toPass();
  await page.getByRole("button", { name: /@/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Single-key shortcuts" }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
});

test("an unknown address shows a not-found page", async ({ signedInPage: page }) => {
  await page.goto("/nowhere");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(page).toHaveTitle("Page not found · Signalbox");
  await page.goto("/actions/no-such-action");
  await expect(page.getByRole("heading", { name: "This action doesn't exist" })).toBeVisible();
  await page.goto("/runs/0199b7c2-0000-7000-8000-000000000000");
  await expect(page.getByRole("heading", { name: "This run doesn't exist" })).toBeVisible();
});

test("going offline shows one notice and moves nothing", async ({ signedInPage: page, context }) => {
  await page.goto("/runs");
  const heading = page.getByRole("heading", { level: 1, name: "Runs" });
  const before = await heading.boundingBox();
  await context.setOffline(true);
  await expect(page.getByText("offline")).toHaveText(["You're offline. This page may be out of date."]);
  expect(await heading.boundingBox()).toEqual(before);
  await context.setOffline(false);
  await expect(page.getByText("offline")).toHaveCount(0);
});
