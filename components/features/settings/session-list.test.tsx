import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SessionRow } from "#lib/contract/account/account";
import { eventually } from "#lib/support/eventually.fixture";
import { AccountSettings } from "@/components/features/settings/account-settings";
import { UsageSection } from "@/components/features/settings/usage-section";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { GITHUB_SERVICE, GOOGLE_SERVICE } from "@/components/testing/sign-in-services.fixture";
import { sampleSession, sampleTwoStep, workspaceUsage } from "@/components/testing/workspace.fixture";

const HERE = sampleSession({ session_id: idOf(2), is_current: true, method: "github" });
const IDENTITY = {
  provider: "github" as const,
  service: "github",
  label: "GitHub",
  subject: "42",
  email: "ann@example.com",
  connected_at: "2026-01-05T09:00:00.000Z",
  last_used_at: "2026-01-05T09:00:00.000Z",
};

function renderAccount(sessions: SessionRow[]) {
  return renderPage(<AccountSettings />, {
    address: "/settings/account",
    prepare: (server) => {
      server.answer("list_sessions", { data: sessions });
      server.answer("get_two_step", sampleTwoStep());
      server.answer("list_account_activity", pageOf([]));
      server.answer("get_sign_in_methods", {
        has_password: true,
        services: [GITHUB_SERVICE, GOOGLE_SERVICE],
        identities: [IDENTITY],
      });
    },
  });
}

test("each session shows its origin, and the current one has no button to end it", async () => {
  renderAccount([HERE, sampleSession()]);
  const current = (await screen.findByText("This browser")).closest("li");
  expect(current?.textContent).toContain("Signed in from 192.0.2.7 with GitHub");
  expect(current?.querySelector("button")).toBeNull();
  expect(screen.getAllByRole("button", { name: /^Sign out of Firefox/ })).toHaveLength(1);
  screen.getByText(/last used/, { selector: "li:not(:first-child) p" });
  await expectAccessible();
});

test("one session is ended by its id, and the others together without an id", async () => {
  const { user, server } = renderAccount([HERE, sampleSession()]);
  server.answer("end_sessions", { ended: 1 });
  await user.click(await screen.findByRole("button", { name: /^Sign out of Firefox/ }));
  await screen.findByText("1 session ended.");
  await user.click(screen.getByRole("button", { name: "Sign out other sessions" }));
  await eventually(() => expect(server.sent("end_sessions")).toEqual([{ session_id: idOf(1) }, {}]));
});

test("the only session shows no button for the others", async () => {
  renderAccount([HERE]);
  await screen.findByText("This browser");
  expect(screen.queryByRole("button", { name: "Sign out other sessions" })).toBeNull();
});

test("signing out everywhere asks first, and a refusal is shown in the dialog", async () => {
  const { user, server } = renderAccount([HERE]);
  server.refuse("sign_out_everywhere", { code: "SERVICE_UNAVAILABLE", message: "Try again in a minute." });
  await user.click(await screen.findByRole("button", { name: "Sign out everywhere…" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Sign out everywhere?" }));
  expect(server.sent("sign_out_everywhere")).toEqual([]);
  await user.click(question.getByRole("button", { name: "Sign out everywhere" }));
  expect((await question.findByRole("alert")).textContent).toBe("Try again in a minute.");
});

test("a service is disconnected by its account ID, and the page explains how to connect a missing one", async () => {
  const { user, server } = renderAccount([HERE]);
  server.answer("remove_identity", { removed: true });
  await screen.findByText(/^To connect Google, sign out/);
  await user.click(screen.getByRole("button", { name: "Disconnect GitHub, ann@example.com" }));
  await screen.findByText("GitHub disconnected.");
  expect(server.sent("remove_identity")).toEqual([{ provider: "github", subject: "42" }]);
});

test("the plan shows the usage of each limit, with the month named", async () => {
  renderPage(<UsageSection />, { prepare: (server) => server.answer("get_usage", workspaceUsage()) });
  await screen.findByText("Free plan");
  expect(screen.getByText("Runs in January 2026").parentElement?.textContent).toContain("250 of 1,000");
  expect(screen.getByText("Active API keys").parentElement?.textContent).toContain("1 of 3");
  screen.getByText("Up to 60");
  screen.getByText("2, no limit");
});

test("a plan without limits shows no bars", async () => {
  renderPage(<UsageSection />, {
    prepare: (server) =>
      server.answer(
        "get_usage",
        workspaceUsage({ plan: "business", runs: { used: 12_000, limit: null }, requests_per_window: null }),
      ),
  });
  await screen.findByText("12,000, no limit");
  screen.getByText("No limit");
});
