import type { Page } from "playwright/test";
import { expect, test } from "#e2e/fixtures";

async function fill(page: Page, email: string, password: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("a page that requires a session opens after signing in, with its query", async ({ page, product }) => {
  await page.goto("/runs?status=failed");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await fill(page, product.login.email, product.login.password);
  await expect(page).toHaveURL(/\/runs\?status=failed$/);
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
});

test("a wrong password and an unknown address get the same error, linked to the field", async ({ page, product }) => {
  await page.goto("/sign-in");
  const words = "The email address or the password is wrong.";
  for (const email of [product.login.email, "nobody@example.com"]) {
    // The second error has the same text as the first one.
    const refused = page.waitForResponse(/\/api\/auth\/callback\/credentials/);
    await fill(page, email, "not the password");
    await refused;
    const password = page.getByLabel("Password", { exact: true });
    await expect(password).toHaveAccessibleDescription(words);
    await expect(password).toHaveAttribute("aria-invalid", "true");
    await expect(password).toBeFocused();
  }
});

test("a sign-in never redirects to another site", async ({ page, product }) => {
  await page.goto(`/sign-in?callbackUrl=${encodeURIComponent("//evil.example/")}`);
  await fill(page, product.login.email, product.login.password);
  await expect(page).toHaveURL(`${product.url}/workflows`);
});

test("empty fields are reported before a request is sent, and password managers recognize the fields", async ({
  page,
}) => {
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Enter your email address.");
  await expect(page.getByLabel("Email")).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveAttribute("autocomplete", "username");
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("autocomplete", "current-password");
});

test("the password can be shown", async ({ page }) => {
  await page.goto("/sign-in");
  const password = page.getByLabel("Password", { exact: true });
  await page.getByRole("button", { name: "Show the password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide the password" }).click();
  await expect(password).toHaveAttribute("type", "password");
});

test("no account can be created without an invite", async ({ page }) => {
  await page.goto("/signup");
  await expect(page.getByRole("heading", { name: "You need an invite" })).toBeVisible();
});

test("signing out ends the session for open pages too", async ({ signedInPage: page }) => {
  await page.goto("/workflows");
  await page.getByRole("button", { name: /@/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto("/keys");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Fkeys/);
});

test("the start page knows whether the visitor is signed in", async ({ signedInPage: page }) => {
  await page.goto("/");
  await expect(page).toHaveURL(/\/workflows$/);
});
