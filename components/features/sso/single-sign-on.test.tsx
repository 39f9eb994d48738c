import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SsoState } from "#lib/contract/account/sso";
import { eventually } from "#lib/support/eventually.fixture";
import { SsoCard } from "@/components/features/sso/sso-card";
import { SsoSection } from "@/components/features/sso/sso-section";
import { describedBy, expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { watchLeaving } from "@/components/testing/watch-leaving.fixture";

const PROVIDERS = Array.from({ length: 10 }, (_, at) => ({
  name: `company-${at}`,
  label: `Company ${at}`,
  icon: null,
  own_groups: at === 0 ? ["admins"] : null,
}));
const RULE = {
  provider: "company-0",
  provider_label: "Company 0",
  group_roles: Array.from({ length: 40 }, (_, at) => ({ group: `Team ${at}`, role: "viewer" as const })),
  default_role: null,
  email_domains: ["example.com"],
  is_required: false,
};
const STATE: SsoState = { providers: PROVIDERS, session_provider: "company-0", rule: RULE };

function renderSection(state: SsoState) {
  return renderPage(<SsoSection />, { prepare: (server) => server.answer("get_sso", state) });
}

test("an instance without providers shows nothing", async () => {
  const { server } = renderSection({ providers: [], session_provider: null, rule: null });
  await eventually(() => expect(server.sent("get_sso")).toHaveLength(1));
  await eventually(() => expect(screen.queryByRole("heading", { name: "Single sign-on" })).toBeNull());
});

test("groups are written one to a line, and a wrong line is named before anything is sent", async () => {
  const { user, server } = renderSection({ ...STATE, rule: null });
  const provider = await screen.findByRole("combobox", { name: "Provider" });
  await user.selectOptions(provider, "Company 1");
  const groups = screen.getByRole("textbox", { name: "Groups and roles" });
  expect(describedBy(groups)).toContain("Sign out and sign in with the provider before you save.");
  await user.selectOptions(provider, "Company 0");
  expect(describedBy(groups)).toContain("Your own groups: admins.");
  await user.type(groups, "Support team = viewer{Enter}Platform = owner");
  await user.click(screen.getByRole("button", { name: "Save single sign-on" }));
  await eventually(() => expect(describedBy(groups)).toContain("Line 2: write a group"));
  await expectAccessible();
  server.answer("set_sso_rule", STATE);
  await user.clear(groups);
  await user.type(groups, "Support team = viewer{Enter}a = b = Editor");
  await user.click(screen.getByRole("button", { name: "Save single sign-on" }));
  await eventually(() => expect(server.sent("set_sso_rule")).toHaveLength(1));
  expect(server.sent("set_sso_rule")[0]).toEqual({
    rule: {
      provider: "company-0",
      group_roles: [
        { group: "Support team", role: "viewer" },
        { group: "a = b", role: "editor" },
      ],
      default_role: null,
      email_domains: [],
    },
  });
});

test("a long list of groups is shown in a taller field, and requiring the provider is asked for first", async () => {
  const { user, server } = renderSection(STATE);
  const groups = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Groups and roles" });
  expect([groups.value.split("\n").length, groups.rows]).toEqual([40, 12]);
  server.answer("set_required_sso", STATE);
  await user.click(screen.getByRole("switch", { name: "Require single sign-on" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Require single sign-on?" }));
  await expectAccessible();
  await user.click(question.getByRole("button", { name: "Require it" }));
  await eventually(() => expect(server.sent("set_required_sso")).toEqual([{ is_required: true }]));
});

const WORKSPACE = {
  workspace_id: "22222222-2222-4222-8222-222222222222",
  slug: "acme",
  name: "Acme",
  plan: "free",
  time_zone: "UTC",
} as const;
const SERVICE = { name: "company", label: "Company", icon: null };

function renderCard(wayBack: "open" | "closed" | null, service: typeof SERVICE | null = SERVICE) {
  const card = (
    <SsoCard workspace={WORKSPACE} email="ann@example.com" returnTo="/runs" service={service} wayBack={wayBack} />
  );
  return renderPage(card, { prepare: (server) => server.answer("list_workspaces", { data: [] }) });
}

test("a member of a closed workspace sees its provider and no way around it", async () => {
  renderCard(null);
  screen.getByText("To open Acme, sign in with Company.");
  screen.getByRole("button", { name: "Continue with Company" });
  expect(screen.queryByText(/You own this workspace/)).toBeNull();
  await expectAccessible();
});

test("an owner reads what the way back needs, and can use it in a session with a second factor", async () => {
  const { unmount } = renderCard("closed", null);
  screen.getByText(/is no longer set up/);
  screen.getByText(/sign in with your password and a second factor or a recovery code/);
  expect(screen.queryByRole("button", { name: "Stop requiring single sign-on" })).toBeNull();
  unmount();
  const leave = watchLeaving();
  const { user, server } = renderCard("open");
  await expectAccessible();
  server.answer("set_required_sso", STATE);
  server.answerPath("/api/workspace", 200, { workspace_id: WORKSPACE.workspace_id });
  await user.click(screen.getByRole("button", { name: "Stop requiring single sign-on" }));
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith("/settings"));
  expect(server.sent("set_required_sso")).toEqual([{ is_required: false }]);
});
