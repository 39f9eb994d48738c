import type { Page } from "playwright/test";
import { codeOf, expectFitAndAccessible, joinAs, openWorkflows, PASSWORD } from "#e2e/account-steps";
import { expect, test } from "#e2e/fixtures";
import { invite } from "#e2e/invite-member";

async function signOut(page: Page): Promise<void> {
  await page.goto("/workflows");
  await page.getByRole("button", { name: /@/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto("/sign-in");
}

async function givePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Adds an authenticator to the browser, with a fingerprint reader that approves every request. */
async function plugInAuthenticator(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test("with an authenticator app, a password alone no longer signs in, and each code works once", async ({
  signedInPage: page,
}) => {
  const email = await joinAs(page, "Tara");
  await expectFitAndAccessible(page, "account without a second factor");

  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  const setUp = page.getByRole("dialog", { name: "Set up an authenticator app" });
  await expect(setUp.getByRole("img", { name: "QR code for an authenticator app" })).toBeVisible();
  // Scanners need dark modules on white, in the dark theme too.
  await expect(setUp.locator("svg[role=img] rect")).toHaveAttribute("fill", "white");
  await expectFitAndAccessible(page, "setting up an app");
  const secret = ((await setUp.getByTestId("totp-secret").textContent()) ?? "").replaceAll(" ", "");
  await setUp.getByLabel("Code", { exact: true }).fill(codeOf(secret, 100));
  await setUp.getByRole("button", { name: "Turn on" }).click();
  await expect(setUp.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/is not the current code/);
  const enrolled = codeOf(secret);
  await setUp.getByLabel("Code", { exact: true }).fill(enrolled);
  await setUp.getByRole("button", { name: "Turn on" }).click();

  const saving = page.getByRole("dialog", { name: "Save your recovery codes" });
  const shown = saving.getByTestId("recovery-codes").getByRole("listitem");
  await expect(shown).toHaveCount(10);
  const codes = await shown.allTextContents();
  await expectFitAndAccessible(page, "recovery codes");
  await page.keyboard.press("Escape");
  await expect(saving.getByRole("button", { name: "Close" })).toHaveCount(0);
  await saving.getByRole("button", { name: "I saved them" }).click();
  await expect(page.getByText("10 codes left")).toBeVisible();
  await expectFitAndAccessible(page, "account with an app");

  await signOut(page);
  await expectFitAndAccessible(page, "sign in");
  await givePassword(page, email);
  await expect(page.getByRole("heading", { name: "Two-step verification" })).toBeVisible();
  await expectFitAndAccessible(page, "asking for a code");
  const code = page.getByLabel("Code", { exact: true });
  for (const refused of [codeOf(secret, 100), enrolled]) {
    await code.fill(refused);
    await page.getByRole("button", { name: "Verify" }).click();
    await expect(code).toHaveAccessibleDescription(/This code is wrong or was already used\./);
    await expect(code).toHaveAttribute("aria-invalid", "true");
    await code.fill("");
  }
  await expectFitAndAccessible(page, "wrong code");
  await code.fill(codeOf(secret, 1));
  await page.getByRole("button", { name: "Verify" }).click();
  await openWorkflows(page);

  for (const isFirst of [true, false]) {
    await signOut(page);
    await givePassword(page, email);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(codes[0] ?? "");
    await page.getByRole("button", { name: "Verify" }).click();
    if (isFirst) await openWorkflows(page);
  }
  await expect(page.getByLabel("Recovery code")).toHaveAccessibleDescription(/wrong or was already used/);
  await expectFitAndAccessible(page, "used recovery code");
  await page.getByLabel("Recovery code").fill(codes[1] ?? "");
  await page.getByRole("button", { name: "Verify" }).click();
  await openWorkflows(page);
  await page.goto("/settings/account");
  await expect(page.getByText("8 codes left")).toBeVisible();
});

test("a passkey signs in without a password, works as a second factor, and can be removed", async ({
  signedInPage: page,
}) => {
  const email = await joinAs(page, "Pavel");
  await plugInAuthenticator(page);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const adding = page.getByRole("dialog", { name: "Add a passkey" });
  await expect(adding.getByLabel("Name")).toBeVisible();
  await expectFitAndAccessible(page, "adding a passkey");
  await adding.getByLabel("Name").fill("Work laptop");
  await adding.getByRole("button", { name: "Create passkey" }).click();
  await page
    .getByRole("dialog", { name: "Save your recovery codes" })
    .getByRole("button", { name: "I saved them" })
    .click();
  await expect(page.getByRole("button", { name: "Remove passkey Work laptop" })).toBeVisible();
  await expectFitAndAccessible(page, "account with a passkey");

  await signOut(page);
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await openWorkflows(page);
  await page.goto("/settings/account");
  await expect(page.getByText(/; last used/)).toBeVisible();

  await signOut(page);
  await givePassword(page, email);
  await expect(page.getByRole("heading", { name: "Two-step verification" })).toBeVisible();
  await expectFitAndAccessible(page, "asking for a passkey");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await openWorkflows(page);

  await page.goto("/settings/account");
  await page.getByRole("button", { name: "Remove passkey Work laptop" }).click();
  const asking = page.getByRole("alertdialog");
  await expect(asking).toContainText("two-step verification turns off");
  await expectFitAndAccessible(page, "removing a passkey");
  await asking.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Passkey removed.")).toBeVisible();
  await expect(page.getByText(/codes left/)).toBeHidden();

  await signOut(page);
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "This passkey isn't registered with Signalbox." }),
  ).toBeVisible();
  await expectFitAndAccessible(page, "unknown passkey");
  await givePassword(page, email);
  await openWorkflows(page);
});

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
