import type { Page } from "playwright/test";
import { codeOf, endSession, expectFitAndAccessible, PASSWORD, setUpApp } from "#e2e/account-steps";
import { expect, test, waitUntilAlive, waitUntilIdle } from "#e2e/fixtures";

const ADA = { sub: "ada", name: "Ada Owner", email: "ada@example.com", email_verified: true, groups: ["admins"] };
const ANN = { sub: "ann", name: "Ann Lee", email: "ann@example.com", email_verified: true };

const continueButton = (page: Page) => page.getByRole("button", { name: "Continue with Company" });

/** Waits until the application opens, and expects its user's name and role. */
async function expectUser(page: Page, nameAndRole: string): Promise<void> {
  await expect(page).toHaveURL(/\/workflows$/);
  await waitUntilAlive(page);
  await page.getByRole("button", { name: /@/ }).click();
  await expect(page.getByText(nameAndRole, { exact: true })).toBeVisible();
  await waitUntilIdle(page);
  await page.keyboard.press("Escape");
}

test("a company's provider signs people in, gives them roles, is required, and signs them out", async ({
  page,
  company: { provider, product },
}) => {
  test.slow();
  const { url } = product;

  await test.step("an account with a password is connected after its password", async () => {
    await page.goto(`${url}/signup`);
    await page.getByLabel("Your name").fill(ADA.name);
    await page.getByLabel("Workspace").fill("Acme");
    await page.getByLabel("Email").fill(ADA.email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await expectUser(page, "Ada Owner, owner");

    await endSession(page);
    provider.person = ADA;
    await page.goto(`${url}/sign-in`);
    await expect(continueButton(page).locator("image")).toHaveAttribute("href", /^data:image\/svg\+xml;base64,/);
    await expectFitAndAccessible(page, "the sign-in page");
    await continueButton(page).click();
    await expect(page.getByText("An account with your Company address already exists.")).toBeVisible();
    await waitUntilAlive(page);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in and connect" }).click();
    await expectUser(page, "Ada Owner, owner");
  });

  let secret = "";
  await test.step("an admin maps groups to roles, and requires the provider", async () => {
    await endSession(page);
    await page.goto(`${url}/sign-in`);
    await continueButton(page).click();
    await expectUser(page, "Ada Owner, owner");
    await page.goto(`${url}/settings`);
    await page.getByRole("combobox", { name: "Provider" }).selectOption("Company");
    const groups = page.getByRole("textbox", { name: "Groups and roles" });
    await expect(groups).toHaveAccessibleDescription(/Your own groups: admins\./);
    await groups.fill("Support team = boss");
    await page.getByRole("button", { name: "Save single sign-on" }).click();
    await expect(groups).toHaveAccessibleDescription(/Line 1: write a group/);
    await groups.fill("Support team = viewer\nPlatform = editor");
    await page.getByRole("button", { name: "Save single sign-on" }).click();
    await expect(page.getByText("Single sign-on saved.")).toBeVisible();
    await expectFitAndAccessible(page, "the settings of single sign-on");
    const rule = page.getByRole("switch", { name: "Require single sign-on" });
    await rule.click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Require it" }).click();
    await expect(rule).toBeChecked();
    await page.goto(`${url}/settings/account`);
    secret = await setUpApp(page);
  });

  await test.step("a group lets a new person in, and the next sign-in changes the role", async () => {
    await endSession(page);
    provider.person = { ...ANN, groups: [] };
    await page.goto(`${url}/sign-in`);
    await continueButton(page).click();
    await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(/none of your groups/);
    await expectFitAndAccessible(page, "a refused sign-in");

    await page.context().clearCookies();
    provider.person = { ...ANN, groups: ["Support team"] };
    await page.goto(`${url}/sign-in`);
    await continueButton(page).click();
    await expectUser(page, "Ann Lee, viewer");
    await page.getByRole("button", { name: /@/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Yes, sign me out" }).click();
    await expect(page).toHaveURL(`${url}/sign-in`);
    // The session at the provider is over, so the provider sends a new session's groups.
    const cookies = await page.context().cookies(provider.url);
    expect(cookies.map(({ name }) => name)).not.toContain("_session");

    provider.person = { ...ANN, groups: ["Platform"] };
    await waitUntilAlive(page);
    await continueButton(page).click();
    await expectUser(page, "Ann Lee, editor");
  });

  await test.step("a sign-out at the provider ends the session here", async () => {
    await page.mainFrame().goto(`${provider.url}/session/end`);
    await page.getByRole("button", { name: "Yes, sign me out" }).click();
    await expect(page.getByText("Sign-out Success")).toBeVisible();
    await page.goto(`${url}/workflows`);
    await expect(page).toHaveURL(/\/sign-in\?/);
  });

  await test.step("a password does not open the workspace", async () => {
    await page.context().clearCookies();
    await page.goto(`${url}/sign-in`);
    await page.getByLabel("Email").fill(ADA.email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 1));
    await page.getByRole("button", { name: "Verify" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Single sign-on required" })).toBeVisible();
    await expectFitAndAccessible(page, "a workspace that requires single sign-on");
    const refused = await page.request.post(`${url}/api/web/list_runs`, { data: {}, headers: { origin: url } });
    expect([refused.status(), (await refused.json()).reason]).toEqual([403, "sso_required"]);
    await page.goto(`${url}/two-step`);
    await expect(page.getByRole("heading", { level: 1, name: "Single sign-on required" })).toBeVisible();
  });

  await test.step("from there, a second step, a connection and a refusal are shown in spite of the old session", async () => {
    const continueAs = async (person: typeof provider.person) => {
      provider.person = person;
      await page.context().clearCookies({ domain: new URL(provider.url).hostname });
      await page.goto(`${url}/workflows`);
      await continueButton(page).click();
    };
    await continueAs(ADA);
    await expect(page.getByRole("heading", { level: 1, name: "Two-step verification" })).toBeVisible();
    await continueAs({ ...ADA, sub: "not connected yet" });
    await expect(page.getByText("An account with your Company address already exists.")).toBeVisible();
    await continueAs({ ...ANN, sub: "eve", email: "eve@example.com", groups: [] });
    await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(/none of your groups/);
  });

  await test.step("an owner with a second factor opens the workspace again", async () => {
    await page.goto(`${url}/workflows`);
    await page.getByRole("button", { name: "Stop requiring single sign-on" }).click();
    await expect(page).toHaveURL(/\/settings$/);
    await expect(page.getByRole("switch", { name: "Require single sign-on" })).not.toBeChecked();
  });
});
