import type { Page } from "playwright/test";
import { expectNoFaultInEitherTheme } from "#e2e/accessibility";
import { expect, test } from "#e2e/fixtures";
import { invite } from "#e2e/invite-member";

const PASSWORD = "seven quiet herons";

/** Expects that the page in its current state has no serious fault and fits a phone. */
async function expectFitAndAccessible(page: Page, where: string): Promise<void> {
  await expectNoFaultInEitherTheme(page, where);
  const before = page.viewportSize();
  await page.setViewportSize({ width: 375, height: 700 });
  const tooWide = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const inDialogs = [...document.querySelectorAll("[role=dialog], [role=alertdialog]")].flatMap((dialog) => [
        dialog,
        ...dialog.querySelectorAll("*"),
      ]);
      return [
        ...(scrollWidth > clientWidth ? ["the page"] : []),
        ...inDialogs
          .filter((element) => element.getBoundingClientRect().right > clientWidth)
          .map((element) => element.outerHTML.slice(0, 100)),
      ];
    });
  await expect.poll(tooWide, where).toEqual([]);
  if (before) await page.setViewportSize(before);
}

async function openWorkflows(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "Workflows" })).toBeVisible();
}

test("a password that is easy to guess is refused with a text that says what to do", async ({ signedInPage: page }) => {
  const email = `wendy-${Date.now()}@example.com`;
  const link = await invite(page, email, "viewer");
  await page.context().clearCookies();
  await page.goto(link);
  await page.getByLabel("Your name").fill("Wendy");
  const chosen = page.getByLabel("Password", { exact: true });
  for (const [password, reason] of [
    ["password123", /attackers try first\. Use four or more unrelated words/],
    ["qwertyuiop", /attackers try first|neighboring keys/],
    [email, /Contains your name, your email address/],
  ] as const) {
    await chosen.fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(chosen).toHaveAccessibleDescription(reason);
    await expect(chosen).toBeFocused();
  }
  await expectFitAndAccessible(page, "weak password at sign-up");
  await chosen.fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await openWorkflows(page);

  await page.goto("/settings/account");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill("signalbox1");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("New password")).toHaveAccessibleDescription(/Contains .* name of the product/);
  await expectFitAndAccessible(page, "weak password in the settings");
});
