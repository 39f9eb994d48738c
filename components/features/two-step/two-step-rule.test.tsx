import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Role } from "#lib/contract/workspace/roles";
import type { WorkspaceSettings } from "#lib/contract/workspace/workspace";
import { TwoStepRule } from "@/components/features/two-step/two-step-rule";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

const SETTINGS: WorkspaceSettings = {
  workspace_id: "22222222-2222-4222-8222-222222222222",
  slug: "acme",
  name: "Acme",
  plan: "free",
  time_zone: "UTC",
  forbid_self_approval: false,
  redact_outputs: false,
  require_two_step: false,
  run_retention_days: null,
  default_retention_days: 90,
  created_at: "2026-01-05T09:00:00.000Z",
};
const BOB = { user_id: idOf(1), name: "Bob", email: "bob@example.com" };
const ANN = { user_id: "11111111-1111-4111-8111-111111111111", name: "Ann", email: "ann@example.com" };

const renderRule = (changes: Partial<WorkspaceSettings> = {}, role: Role = "admin") =>
  renderPage(<TwoStepRule settings={{ ...SETTINGS, ...changes }} />, { session: { role } });
const toggle = () => screen.getByRole("switch", { name: "Require two-step verification" });

test("before the rule is turned on, the question names the members who would be kept out", async () => {
  const { user, server } = renderRule();
  server.answer("list_members_without_two_step", { data: [BOB], total: 3 });
  server.answer("set_two_step_rule", { ...SETTINGS, require_two_step: true });
  await user.click(toggle());
  const question = within(await screen.findByRole("alertdialog", { name: "Require two-step verification?" }));
  await question.findByText("Bob (bob@example.com)");
  question.getByText(/^3 members without a second factor can't open this workspace/);
  question.getByText("2 others");
  await expectAccessible();
  expect(server.sent("set_two_step_rule")).toEqual([]);
  await user.click(question.getByRole("button", { name: "Require it" }));
  await screen.findByText("Two-step verification is now required.");
  expect(server.sent("set_two_step_rule")).toEqual([{ is_required: true }]);
});

test("an admin without a second factor is led to their own account, and the server's refusal is shown", async () => {
  const { user, server } = renderRule();
  server.answer("list_members_without_two_step", { data: [ANN, BOB], total: 2 });
  server.refuse("set_two_step_rule", { code: "BAD_REQUEST", message: "Set up your own first." });
  await user.click(toggle());
  const question = within(await screen.findByRole("alertdialog"));
  const link = await question.findByRole("link", { name: "Set one up first" });
  expect(link.getAttribute("href")).toBe("/settings/account");
  await user.click(question.getByRole("button", { name: "Require it" }));
  expect((await question.findByRole("alert")).textContent).toBe("Set up your own first.");
});

test("turning the rule off asks first, and who the user is if the sign-in is old", async () => {
  const { user, server } = renderRule({ require_two_step: true });
  server.refuse("set_two_step_rule", { code: "confirmation_needed", message: "Confirm that it's you." });
  server.answer("begin_confirmation", { has_password: false, has_authenticator: true, passkey: null });
  server.answer("confirm_identity", { confirmed: true });
  await user.click(toggle());
  const question = await screen.findByRole("alertdialog", { name: "Stop requiring two-step verification?" });
  await user.click(within(question).getByRole("button", { name: "Stop requiring it" }));
  await screen.findByRole("dialog", { name: "Confirm that it's you" });
  server.answer("set_two_step_rule", { ...SETTINGS });
  await user.type(await screen.findByLabelText("Code"), "123456");
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  await screen.findByText("Two-step verification is no longer required.");
  expect(server.sent("set_two_step_rule")).toEqual([{ is_required: false }, { is_required: false }]);
});

test("a member below admin sees the rule and can't change it", () => {
  renderRule({ require_two_step: true }, "editor");
  expect(toggle()).toHaveProperty("disabled", true);
  expect(toggle().getAttribute("aria-checked")).toBe("true");
});
