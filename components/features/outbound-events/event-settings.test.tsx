import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { AlertRuleObject, EventMailObject } from "#lib/contract/event/outbound-event";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { EventSettings } from "@/components/features/outbound-events/event-settings";
import { alertRule, sampleEndpoint } from "@/components/testing/outbound-event.fixture";
import { idOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

interface Options {
  role?: Role;
  rules?: AlertRuleObject[];
  mail?: EventMailObject;
}

function renderSettings({ role = "admin", rules = [], mail = { is_configured: true, events: [] } }: Options) {
  return renderPage(<EventSettings />, {
    address: "/settings/events",
    session: { role },
    prepare: (server) => {
      server.answer("list_alert_rules", { data: rules });
      if (role === "admin") server.answer("list_event_endpoints", { data: [sampleEndpoint()], mail });
    },
  });
}

const SLOW = alertRule({
  rule_id: idOf(8),
  kind: "slow",
  threshold: 10_000,
  window_minutes: 30,
  min_runs: 5,
  workflow_id: idOf(20),
  workflow_name: "Refunds",
});

test("a rule is shown as a sentence with its workflow", async () => {
  renderSettings({ rules: [alertRule(), SLOW, alertRule({ rule_id: idOf(9), threshold: 1 })] });
  await screen.findByText("3 runs fail in a row");
  screen.getByText("A run fails", { selector: "p" });
  const slow = screen.getByText(
    "The 95th percentile duration of successful runs within 30 min is above 10 s (minimum: 5 runs)",
    {
      selector: "p",
    },
  );
  expect(slow.nextElementSibling?.textContent).toBe("Refunds");
  await screen.findByText("Pager");
  await expectAccessible();
});

test("a rule for every workflow names the workflows for which it fired", async () => {
  const firing = [{ workflow_id: idOf(20), workflow_name: "Refunds", value: 4, fired_at: secondsAgo(120) }];
  renderSettings({ rules: [alertRule({ firing })] });
  await screen.findByText("Fired");
  expect(screen.getByText(/^Refunds/).textContent).toMatch(/^Refunds · 2 min/);
});

test("a rule can be paused with its switch", async () => {
  const { user, server } = renderSettings({ rules: [alertRule()] });
  server.answer("set_alert_rule", alertRule({ is_enabled: false }));
  const control = await screen.findByRole("switch", { name: "On: 3 runs fail in a row" });
  server.answer("list_alert_rules", { data: [alertRule({ is_enabled: false })] });
  await user.click(control);
  await eventually(() => expect(control.getAttribute("aria-checked")).toBe("false"));
  expect(server.sent("set_alert_rule")).toEqual([{ rule_id: idOf(7), is_enabled: false }]);
});

test("a refused switch of a rule shows the reason", async () => {
  const { user, server } = renderSettings({ rules: [alertRule()] });
  server.refuse("set_alert_rule", { code: "BAD_REQUEST", message: "The rule was deleted." });
  await user.click(await screen.findByRole("switch", { name: "On: 3 runs fail in a row" }));
  expect((await screen.findByRole("alert")).textContent).toBe("The rule was deleted.");
});

test("a rule is deleted only after a confirmation that repeats its sentence", async () => {
  const { user, server } = renderSettings({ rules: [alertRule()] });
  server.answer("delete_alert_rule", { rule_id: idOf(7), deleted: true });
  await user.click(await screen.findByRole("button", { name: "Delete: 3 runs fail in a row" }));
  expect((await screen.findByRole("alertdialog")).textContent).toContain("3 runs fail in a row");
  expect(server.sent("delete_alert_rule")).toEqual([]);
  server.answer("list_alert_rules", { data: [] });
  await user.click(screen.getByRole("button", { name: "Delete rule" }));
  await screen.findByText(/^No alert rules yet/);
  expect(server.sent("delete_alert_rule")).toEqual([{ rule_id: idOf(7) }]);
});

test("a viewer sees the rules without controls, and no endpoints are requested", async () => {
  const { server } = renderSettings({ role: "viewer", rules: [alertRule()] });
  await screen.findByText("3 runs fail in a row");
  expect(screen.queryByRole("switch")).toBeNull();
  expect(screen.queryByRole("button", { name: "New alert rule" })).toBeNull();
  screen.getByText(/need the admin role/);
  expect(server.sent("list_event_endpoints")).toEqual([]);
});

test("mail is sent for the events that are checked", async () => {
  const { user, server } = renderSettings({ mail: { is_configured: true, events: ["run.failed"] } });
  const mail = within(await screen.findByRole("group", { name: "Send mail when" }));
  expect(mail.getAllByRole("checkbox", { checked: true })).toHaveLength(1);
  server.answer("set_event_mail", { is_configured: true, events: ["run.failed", "alert.fired"] });
  await user.click(mail.getByRole("checkbox", { name: /An alert fires/ }));
  await screen.findByText("Saved.");
  expect(server.sent("set_event_mail")).toEqual([{ events: ["run.failed", "alert.fired"] }]);
});

test("unchecking the last event says that no more mail is sent", async () => {
  const { user, server } = renderSettings({ mail: { is_configured: true, events: ["run.failed"] } });
  const mail = within(await screen.findByRole("group", { name: "Send mail when" }));
  server.answer("set_event_mail", { is_configured: true, events: [] });
  await user.click(mail.getByRole("checkbox", { name: /A run fails/ }));
  await screen.findByText(/^Mail is turned off/);
  expect(server.sent("set_event_mail")).toEqual([{ events: [] }]);
});

test("a refused mail setting is reverted and explained", async () => {
  const { user, server } = renderSettings({ mail: { is_configured: true, events: [] } });
  const mail = within(await screen.findByRole("group", { name: "Send mail when" }));
  server.refuse("set_event_mail", { code: "FORBIDDEN", message: "You need the admin role." });
  await user.click(mail.getByRole("checkbox", { name: /A run fails/ }));
  expect((await mail.findByRole("alert")).textContent).toBe("You need the admin role.");
  expect(mail.queryByRole("checkbox", { checked: true })).toBeNull();
});

test("an installation without a mail server names the variables that configure one", async () => {
  renderSettings({ mail: { is_configured: false, events: [] } });
  await screen.findByText("SMTP_URL");
  screen.getByText("MAIL_FROM");
  expect(screen.queryByRole("checkbox")).toBeNull();
});
