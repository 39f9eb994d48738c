import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Role } from "#lib/contract/workspace/roles";
import type { WorkspaceSettings } from "#lib/contract/workspace/workspace";
import { eventually } from "#lib/support/eventually.fixture";
import { AccountSettings } from "@/components/features/settings/account-settings";
import { WorkspaceSettingsPage } from "@/components/features/settings/workspace-settings";
import { pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { watchLeaving } from "@/components/testing/watch-leaving.fixture";
import { sampleSession, sampleTwoStep, workspaceUsage } from "@/components/testing/workspace.fixture";

const NO_SSO = { providers: [], session_provider: null, rule: null };
const SETTINGS: WorkspaceSettings = {
  workspace_id: "22222222-2222-4222-8222-222222222222",
  slug: "acme",
  name: "Acme",
  plan: "free",
  time_zone: "Europe/Zurich",
  forbid_self_approval: true,
  redact_outputs: false,
  require_two_step: false,
  run_retention_days: 30,
  default_retention_days: 90,
  created_at: "2026-01-05T09:00:00.000Z",
};

function renderWorkspace(role: Role, settings: Partial<WorkspaceSettings> = {}) {
  return renderPage(<WorkspaceSettingsPage />, {
    address: "/settings",
    session: { role },
    prepare: (server) => {
      server.answer("get_workspace", { ...SETTINGS, ...settings });
      server.answer("get_usage", workspaceUsage());
      server.answer("get_sso", NO_SSO);
    },
  });
}

function renderAccount(hasPassword: boolean) {
  return renderPage(<AccountSettings />, {
    address: "/settings/account",
    prepare: (server) => {
      server.answer("list_sessions", { data: [sampleSession({ is_current: true })] });
      server.answer("get_two_step", sampleTwoStep());
      server.answer("list_account_activity", pageOf([]));
      server.answer("get_sign_in_methods", { has_password: hasPassword, services: [], identities: [] });
    },
  });
}

const pagesOfSettings = () =>
  within(screen.getByRole("navigation", { name: "Settings" }))
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"));

test("the workspace form starts with the current settings", async () => {
  renderWorkspace("admin");
  expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Name" })).value).toBe("Acme");
  screen.getByRole("button", { name: /^Time zone: Europe\/Zurich UTC\+0[12]:00$/ });
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: /^Keep/ }).value).toBe("30");
  expect(screen.getByRole("switch", { name: /second person/i }).getAttribute("aria-checked")).toBe("true");
  await screen.findByText("250 of 1,000");
  await expectAccessible();
});

test("the slug of a workspace cannot be changed", async () => {
  const { user } = renderWorkspace("owner");
  const slug = await screen.findByRole<HTMLInputElement>("textbox", { name: "Slug" });
  await user.type(slug, "other");
  expect(slug.value).toBe("acme");
});

test("an editor sees the settings of the workspace and can't change any of them", async () => {
  renderWorkspace("editor");
  expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Name" })).disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: /^Time zone/ }).disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>("switch", { name: /second person/i }).disabled).toBe(true);
  expect(screen.queryByRole("button", { name: /^Save/ })).toBeNull();
});

test("only admins and owners see the link to the audit log", () => {
  renderWorkspace("editor");
  expect(pagesOfSettings()).not.toContain("/settings/audit");
});

test("the settings navigation marks the current page", () => {
  renderWorkspace("admin");
  expect(pagesOfSettings()).toEqual([
    "/settings",
    "/settings/members",
    "/settings/events",
    "/settings/audit",
    "/settings/account",
  ]);
  expect(screen.getByRole("link", { name: "Workspace" }).getAttribute("aria-current")).toBe("page");
  expect(screen.getByRole("link", { name: "Members" }).getAttribute("aria-current")).toBeNull();
});

test("settings that fail to load can be retried", async () => {
  const { user, server } = renderPage(<WorkspaceSettingsPage />, {
    prepare: (fake) => {
      fake.refuse("get_workspace", { code: "INTERNAL_ERROR", message: "It did not work." });
      fake.answer("get_usage", workspaceUsage());
      fake.answer("get_sso", NO_SSO);
    },
  });
  const alert = within(await screen.findByRole("alert"));
  server.answer("get_workspace", SETTINGS);
  await user.click(alert.getByRole("button", { name: /try again/i }));
  await screen.findByRole("textbox", { name: "Name" });
});

test("a user with a password has to enter it before choosing another", async () => {
  renderAccount(true);
  await screen.findByLabelText("Current password");
  screen.getByRole("button", { name: "Change password" });
});

test("a user without a password sets one without entering an old one", async () => {
  const { user, server } = renderAccount(false);
  server.refuse("change_password", { code: "FORBIDDEN", message: "Sign in again first." });
  await user.type(await screen.findByLabelText("New password"), "a phrase of words");
  expect(screen.queryByLabelText("Current password")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Set password" }));
  await screen.findByText("Sign in again first.");
  expect(server.sent("change_password")).toEqual([{ new_password: "a phrase of words" }]);
});

test("an instance without other services shows no section for them", async () => {
  renderAccount(true);
  await screen.findByLabelText("Current password");
  expect(screen.queryByRole("heading", { name: /sign-in services/i })).toBeNull();
});

test("the sign-in address is shown and can't be changed", async () => {
  renderAccount(true);
  const email = await screen.findByRole<HTMLInputElement>("textbox", { name: /mail/i });
  expect([email.value, email.readOnly]).toEqual(["ann@example.com", true]);
});

test("signing out everywhere asks first, is sent once, and opens the sign-in page", async () => {
  const assign = watchLeaving();
  const { user, server } = renderAccount(true);
  server.answer("sign_out_everywhere", { signed_out: true });
  await user.click(await screen.findByRole("button", { name: /^Sign out everywhere/ }));
  const question = within(await screen.findByRole("alertdialog"));
  expect(server.sent("sign_out_everywhere")).toEqual([]);
  await user.click(question.getByRole("button", { name: "Sign out everywhere" }));
  await eventually(() => expect(assign).toHaveBeenCalledExactlyOnceWith("/sign-in"));
  expect(server.sent("sign_out_everywhere")).toHaveLength(1);
});
