import type { Page } from "playwright/test";
import { addressOf, expectFitAndAccessible, joinAs, openWorkflows, setUpApp, signUpWith } from "#e2e/account-steps";
import { expect, test } from "#e2e/fixtures";
import { invite } from "#e2e/invite-member";

type Cookies = Awaited<ReturnType<ReturnType<Page["context"]>["cookies"]>>;

/** Replaces the user of a page's browser, and returns the previous user's cookies. */
async function changeUser(page: Page, cookies: Cookies = []): Promise<Cookies> {
  // Leaves the page first, because an open page would notice the other session and navigate by itself.
  await page.mainFrame().goto("about:blank");
  const before = await page.context().cookies();
  await page.context().clearCookies();
  await page.context().addCookies(cookies);
  return before;
}

test("a workspace that requires two-step verification opens only with a second factor, and the user's other workspaces stay open", async ({
  signedInPage: page,
  product,
}) => {
  const samsAddress = addressOf("Sam");
  const toFirst = await invite(page, samsAddress, "viewer");
  await joinAs(page, "Rita");
  await page.goto("/workflows");
  await page.getByRole("button", { name: /^Workspace / }).click();
  await page.getByRole("menuitem", { name: "New workspace…" }).click();
  await page.getByRole("dialog", { name: "New workspace" }).getByLabel("Name").fill("Strict");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Workspace Strict" })).toBeVisible();
  const toStrict = await invite(page, samsAddress, "viewer");

  const rita = await changeUser(page);
  await signUpWith(page, toFirst, "Sam");
  await page.goto(toStrict);
  await page.getByRole("button", { name: "Join workspace" }).click();
  await expect(page.getByRole("button", { name: "Workspace Strict" })).toBeVisible();

  const sam = await changeUser(page, rita);
  await page.goto("/settings");
  const rule = page.getByRole("switch", { name: "Require two-step verification" });
  const question = page.getByRole("alertdialog", { name: "Require two-step verification?" });
  await rule.click();
  await expect(question).toContainText("Your own account has no second factor.");
  await question.getByRole("link", { name: "Set one up first" }).click();
  await expect(page).toHaveURL(/\/settings\/account/);
  await setUpApp(page);
  await page.goto("/settings");
  await rule.click();
  await expect(question).toContainText(`Sam (${samsAddress})`);
  await expectFitAndAccessible(page, "requiring two-step verification");
  await question.getByRole("button", { name: "Require it" }).click();
  await expect(page.getByText("Two-step verification is now required.")).toBeVisible();
  await expect(rule).toBeChecked();

  await changeUser(page, sam);
  const card = page.getByRole("heading", { level: 1, name: "Set up two-step verification" });
  await page.goto("/runs?status=failed");
  await expect(card).toBeVisible();
  await expect(page.getByText("Strict requires two-step verification for all members.")).toBeVisible();
  await expectFitAndAccessible(page, "a workspace that requires two-step verification");
  const asked = await page.request.post("/api/web/list_runs", { data: {}, headers: { origin: product.url } });
  expect([asked.status(), (await asked.json()).reason]).toEqual([403, "two_step_required"]);
  // The user's only other workspace, whose name may have changed.
  await page.getByRole("listitem").getByRole("button").click();
  await openWorkflows(page);
  await page.getByRole("button", { name: /^Workspace / }).click();
  await page.getByRole("menuitemradio", { name: "Strict" }).click();
  await expect(card).toBeVisible();

  await page.context().clearCookies({ name: "signalbox.workspace" });
  const workspace = new URL(page.url()).searchParams.get("workspace");
  await page.goto(`/two-step?workspace=${workspace}&callbackUrl=%2Fruns%3Fstatus%3Dfailed`);
  await setUpApp(page);
  await expect(page).toHaveURL(/\/runs\?status=failed$/);
  await expect(page.getByRole("button", { name: "Workspace Strict" })).toBeVisible();
});
