import type { Page } from "playwright/test";
import { expect, openAlive, test, waitUntilAlive } from "#e2e/fixtures";
import { invite } from "#e2e/invite-member";

/** Requests a new workflow from a page, and returns the status. */
async function createWorkflow(page: Page, origin: string): Promise<number> {
  const asked = await page.request.post("/api/web/create_workflow", { data: { name: "Mine" }, headers: { origin } });
  if (!asked.ok()) return asked.status();
  const { workflow_id } = await asked.json();
  await page.request.post("/api/web/delete_workflow", { data: { workflow_id }, headers: { origin } });
  return asked.status();
}

test("a user is invited, joins, gets another role, is removed with immediate effect, and returns", async ({
  signedInPage: owner,
  browser,
  product,
}) => {
  const email = `bob-${Date.now()}@example.com`;
  const guest = await browser.newContext({ baseURL: product.url });
  const bob = openAlive(await guest.newPage());

  await bob.goto(await invite(owner, email, "viewer"));
  await expect(bob.getByLabel("Email")).toHaveValue(email);
  await expect(bob.getByLabel("Email")).toHaveAttribute("readonly");
  await bob.getByLabel("Your name").fill("Bob");
  await bob.getByLabel("Password", { exact: true }).fill("a phrase of bob");
  await bob.getByRole("button", { name: "Create account" }).click();
  await expect(bob.getByRole("heading", { level: 1, name: "Workflows" })).toBeVisible();
  expect(await createWorkflow(bob, product.url)).toBe(403);

  await owner.goto("/settings/members");
  const member = owner.getByRole("table", { name: "Members" }).getByRole("row", { name: email });
  await member.getByLabel("Role of Bob").selectOption("editor");
  await expect(owner.getByText("Bob now has the editor role.")).toBeVisible();
  const openInvites = owner.getByRole("table", { name: "Open invites" });
  await expect(openInvites.getByRole("row", { name: email })).toHaveCount(0);
  expect(await createWorkflow(bob, product.url)).toBe(200);

  await bob.goto("/settings/account");
  await bob.getByLabel("Current password").fill("a phrase of bob");
  await bob.getByLabel("New password").fill("another phrase");
  await bob.getByRole("button", { name: "Change password" }).click();
  await expect(bob.getByText("Password changed.")).toBeVisible();
  await bob.getByRole("link", { name: "Runs" }).click();
  await expect(bob.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();

  await member.getByRole("button", { name: "Remove Bob" }).click();
  await owner.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(owner.getByText("Bob was removed")).toBeVisible();
  expect(await createWorkflow(bob, product.url)).toBeGreaterThanOrEqual(400);
  // The open page learns of it with its next request. If it has sent one by itself, the link is gone.
  await bob
    .getByRole("link", { name: "Actions" })
    .click({ timeout: 5_000 })
    .catch(() => undefined);
  await expect(bob).toHaveURL(/\/sign-in/);
  await waitUntilAlive(bob);
  await bob.getByLabel("Email").fill(email);
  await bob.getByLabel("Password", { exact: true }).fill("another phrase");
  await bob.getByRole("button", { name: "Sign in" }).click();
  await expect(bob.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(
    /no longer belongs to a workspace/,
  );

  await bob.goto(await invite(owner, email, "approver"));
  await bob.getByLabel("Password", { exact: true }).fill("another phrase");
  await bob.getByRole("button", { name: "Sign in and join" }).click();
  await expect(bob.getByRole("heading", { level: 1, name: "Workflows" })).toBeVisible();
  await bob.goto("/settings/members");
  await expect(bob.getByRole("button", { name: "Invite" })).toBeHidden();
  await bob.getByRole("button", { name: "Leave workspace" }).click();
  await bob.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  await expect(bob).toHaveURL(/\/sign-in/);
  await guest.close();

  await owner.goto("/settings/audit?action=member");
  const log = owner.getByRole("table", { name: "Audit log" });
  await expect(log.getByRole("row", { name: /Member left.*Bob/ }).first()).toBeVisible();
  await expect(log.getByRole("row", { name: /Member role changed.*Bob.*viewer → editor/ }).first()).toBeVisible();
});

test("removing a member asks what happens to their API keys: revoked by default, or transferred with their access", async ({
  signedInPage: owner,
  browser,
  playwright,
  product,
}) => {
  const origin = product.url;
  for (const { name, choice, status } of [
    { name: "Kim", choice: "Transfer to you", status: 200 },
    { name: "Kai", choice: null, status: 401 },
  ]) {
    const email = `${name.toLowerCase()}-${Date.now()}@example.com`;
    const guest = await browser.newContext({ baseURL: product.url });
    const member = openAlive(await guest.newPage());
    await member.goto(await invite(owner, email, "admin"));
    await member.getByLabel("Your name").fill(name);
    await member.getByLabel("Password", { exact: true }).fill(`a phrase of ${name}`);
    await member.getByRole("button", { name: "Create account" }).click();
    await expect(member.getByRole("heading", { level: 1, name: "Workflows" })).toBeVisible();
    const data = { name: `Bot of ${name}`, scopes: ["actions:read"] };
    const made = await member.request.post("/api/web/create_key", { data, headers: { origin } });
    const { key_id, raw_key } = await made.json();
    const caller = await playwright.request.newContext({
      baseURL: product.url,
      extraHTTPHeaders: { authorization: `Bearer ${raw_key}` },
    });
    const call = async () => (await caller.get("/api/v1/runtime/actions")).status();
    expect(await call()).toBe(200);

    await owner.goto("/settings/members");
    await owner.getByRole("button", { name: `Remove ${name}` }).click();
    const question = owner.getByRole("alertdialog", { name: `Remove ${name}?` });
    const fate = question.getByLabel("1 API key they created");
    await expect(fate).toHaveValue("revoke");
    await expect(fate).toHaveAccessibleDescription("Calls with these keys get 401 at once.");
    if (choice !== null) await fate.selectOption(choice);
    await question.getByRole("button", { name: "Remove" }).click();
    await expect(owner.getByText(`${name} was removed`)).toBeVisible();
    expect(await call()).toBe(status);
    if (status === 200) {
      await owner.request.post("/api/web/revoke_key", { data: { key_id }, headers: { origin } });
      expect(await call()).toBe(401);
    }
    await caller.dispose();
    await guest.close();
  }
  await owner.goto("/settings/audit?action=key");
  const log = owner.getByRole("table", { name: "Audit log" });
  await expect(log.getByRole("row", { name: /Key transferred.*Bot of Kim.*to: / }).first()).toBeVisible();
  await expect(log.getByRole("row", { name: /Key revoked.*Bot of Kai/ }).first()).toBeVisible();
});

test("a second workspace is separate from the first, and a tab stays in the workspace it shows", async ({
  signedInPage: page,
  product,
}) => {
  await page.goto("/settings");
  const asked = await page.request.post("/api/web/get_session", { data: {}, headers: { origin: product.url } });
  const former: string = (await asked.json()).workspace.name;
  await page.getByRole("button", { name: `Workspace ${former}` }).click();
  await page.getByRole("menuitem", { name: "New workspace…" }).click();
  await page.getByRole("dialog", { name: "New workspace" }).getByLabel("Name").fill("Aside");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/workflows$/);
  await expect(page.getByRole("button", { name: "Workspace Aside" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "No workflows yet" })).toBeVisible();
  await expect(page.getByText(product.slug)).toHaveCount(0);

  const second = openAlive(await page.context().newPage());
  await second.goto("/settings");
  await second.getByLabel("Name").fill("Aside and apart");
  await second.getByRole("switch", { name: "Approvals need a second person" }).click();
  await second.getByLabel("Keep ended runs for").fill("3");
  await second.getByRole("button", { name: "Save changes" }).click();
  await second.getByRole("alertdialog").getByRole("button", { name: "Save and delete older runs" }).click();
  await expect(second.getByRole("button", { name: "Workspace Aside and apart" })).toBeVisible();

  await second.getByRole("button", { name: "Workspace Aside and apart" }).click();
  await second.getByRole("menuitemradio", { name: former }).click();
  await expect(second.getByRole("button", { name: `Workspace ${former}` })).toBeVisible();
  await page.getByRole("link", { name: "Actions" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Actions" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Workspace Aside/ })).toBeVisible();
  await expect(page.getByRole("link", { name: product.slug })).toHaveCount(0);
  await second.goto("/actions");
  await expect(second.getByRole("link", { name: product.slug })).toBeVisible();
});
