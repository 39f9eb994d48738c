import type { Page } from "playwright/test";
import { expect } from "#e2e/fixtures";

/** Invites a person to the page's workspace, and returns their link. */
export async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Invite a member" });
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Role").selectOption(role);
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = (await page.getByTestId("invite-link").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("table", { name: "Open invites" }).getByRole("row", { name: email })).toBeVisible();
  return link;
}
