import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright/test";
import { expectNoFaultInEitherTheme } from "#e2e/accessibility";
import { expect, waitUntilAlive } from "#e2e/fixtures";
import { invite } from "#e2e/invite-member";

export const PASSWORD = "seven quiet herons";
const PERIOD_MS = 30_000;

/**
 * Returns the code that an authenticator app shows. Each code works once. A second code within the same 30 s is the
 * next period's code.
 */
export function codeOf(secret: string, periodsAhead = 0): string {
  const timestamp = Date.now() + periodsAhead * PERIOD_MS;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** Signs the owner of a page out, and signs in a new member who has just joined. */
export async function joinAs(page: Page, name: string): Promise<string> {
  const email = addressOf(name);
  const link = await invite(page, email, "editor");
  await endSession(page);
  await signUpWith(page, link, name);
  await page.goto("/settings/account");
  return email;
}

/**
 * Signs a page's browser out. It leaves the page first, because an open page would notice the sign-out and navigate by
 * itself.
 */
export async function endSession(page: Page): Promise<void> {
  await page.mainFrame().goto("about:blank");
  await page.context().clearCookies();
}

export const addressOf = (name: string) => `${name.toLowerCase()}-${Date.now()}@example.com`;

export async function signUpWith(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await openWorkflows(page);
}

/** Expects that the page's current state has no fault and fits a phone. */
export async function expectFitAndAccessible(page: Page, where: string): Promise<void> {
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

export async function openWorkflows(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "Workflows" })).toBeVisible();
  await waitUntilAlive(page);
}

/**
 * Sets up an authenticator app on a page that offers it, and saves the recovery codes.
 * @returns the app's secret
 */
export async function setUpApp(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  const setUp = page.getByRole("dialog", { name: "Set up an authenticator app" });
  const secret = ((await setUp.getByTestId("totp-secret").textContent()) ?? "").replaceAll(" ", "");
  await setUp.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await setUp.getByRole("button", { name: "Turn on" }).click();
  const saving = page.getByRole("dialog", { name: "Save your recovery codes" });
  await saving.getByRole("button", { name: "I saved them" }).click();
  return secret;
}
