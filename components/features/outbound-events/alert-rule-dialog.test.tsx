import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { AlertRuleDialog } from "@/components/features/outbound-events/alert-rule-dialog";
import { describedBy, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { WORKFLOW } from "@/components/testing/sample-objects.fixture";

test("a rule is sent as numbers, and an invalid number of minutes is shown at its field", async () => {
  const { user, server } = renderPage(<AlertRuleDialog onClose={vi.fn()} />, {
    prepare: (fake) => fake.answer("list_workflows", { data: [WORKFLOW], has_more: false, next_cursor: null }),
  });
  server.refuse("create_alert_rule", { code: "BAD_REQUEST", message: "There are too many rules." });
  await user.selectOptions(screen.getByRole("combobox", { name: "When" }), "error_rate");
  const minutes = await screen.findByRole("spinbutton", { name: "Within (minutes)" });
  await user.clear(minutes);
  await user.click(screen.getByRole("button", { name: "Create rule" }));
  await eventually(() => expect(describedBy(minutes)).toMatch(/^Must be a whole number from 1 to /));
  await expectFocus(minutes);
  await user.type(minutes, "30");
  await user.selectOptions(screen.getByRole("combobox", { name: "Workflow" }), "Refunds");
  await user.click(screen.getByRole("button", { name: "Create rule" }));
  expect((await screen.findByRole("alert")).textContent).toBe("There are too many rules.");
  expect(server.sent("create_alert_rule")).toEqual([
    { kind: "error_rate", workflow_id: WORKFLOW.workflow_id, threshold: 20, window_minutes: 30, min_runs: 10 },
  ]);
});

test("a fraction of a run is refused at its field before anything is sent", async () => {
  const { user, server } = renderPage(<AlertRuleDialog onClose={vi.fn()} />, {
    prepare: (fake) => fake.answer("list_workflows", { data: [WORKFLOW], has_more: false, next_cursor: null }),
  });
  const threshold = await screen.findByRole("spinbutton", { name: "Number of runs" });
  await user.clear(threshold);
  await user.type(threshold, "2.5");
  await user.click(screen.getByRole("button", { name: "Create rule" }));
  await eventually(() => expect(describedBy(threshold)).toMatch(/^Must be a whole number from 1 to 100/));
  await expectFocus(threshold);
  expect(server.sent("create_alert_rule")).toEqual([]);
});
