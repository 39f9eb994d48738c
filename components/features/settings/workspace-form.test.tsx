import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { WorkspaceSettings } from "#lib/contract/workspace/workspace";
import { eventually } from "#lib/support/eventually.fixture";
import { WorkspaceForm } from "@/components/features/settings/workspace-form";
import { describedBy, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

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
const days = () => screen.getByRole("textbox", { name: "Keep ended runs for" });
const save = () => screen.getByRole("button", { name: "Save changes" });

test("only changed settings are sent, and the button waits for a change", async () => {
  const { user, server } = renderPage(<WorkspaceForm settings={SETTINGS} />);
  server.answer("update_workspace", { ...SETTINGS, name: "Acme 2" });
  expect(save()).toHaveProperty("disabled", true);
  await user.type(screen.getByRole("textbox", { name: "Name" }), " 2");
  await user.click(screen.getByRole("switch", { name: /second person/ }));
  await user.click(save());
  await screen.findByText("Settings saved.");
  expect(server.sent("update_workspace")).toEqual([{ name: "Acme 2", forbid_self_approval: true }]);
});

test("a number of days that is not whole is not sent", async () => {
  const { user, server } = renderPage(<WorkspaceForm settings={SETTINGS} />);
  await user.clear(screen.getByRole("textbox", { name: "Name" }));
  await user.type(days(), "1.5");
  await user.click(save());
  await eventually(() => expect(describedBy(days())).toMatch(/Must be a whole number from 1 to \d+\.$/));
  expect(describedBy(screen.getByRole("textbox", { name: "Name" }))).toBe("Enter a name for the workspace.");
  await expectFocus(screen.getByRole("textbox", { name: "Name" }));
  expect(server.sent("update_workspace")).toEqual([]);
});

test("a shorter retention is sent only after a confirmation, and a refusal is shown in the dialog", async () => {
  const { user, server } = renderPage(<WorkspaceForm settings={SETTINGS} />);
  server.refuse("update_workspace", { code: "FORBIDDEN", message: "You need the admin role." });
  await user.type(days(), "30");
  await user.click(save());
  await screen.findByRole("alertdialog", { name: "Keep runs for 30 days only?" });
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(server.sent("update_workspace")).toEqual([]);
  await user.click(save());
  await user.click(await screen.findByRole("button", { name: "Save and delete older runs" }));
  expect((await screen.findByRole("alert")).textContent).toBe("You need the admin role.");
  expect(server.sent("update_workspace")).toEqual([{ run_retention_days: 30 }]);
});
