import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { RunButton, type RunnableWorkflow } from "@/components/features/actions/run-button";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { RUN } from "@/components/testing/sample-objects.fixture";
import { callableWorkflow, sampleWorkflow } from "@/components/testing/workflow.fixture";

const SCHEMA = { type: "object" as const, properties: { amount: { type: "number" as const } }, required: ["amount"] };
const CALLABLE = { ...callableWorkflow(), deployed_version: 2, input_schema: SCHEMA };
const EVENTS = { status: "active" as const, next_at: null, last_delivery: null };
const startedBy = (kind: "webhook" | "schedule"): RunnableWorkflow => ({
  ...sampleWorkflow({ deployed_version: 1, action: null, trigger: { kind, ...EVENTS } }),
  input_schema: null,
});

async function open(workflow: RunnableWorkflow) {
  const page = renderPage(<RunButton workflow={workflow} />);
  await page.user.click(screen.getByRole("button", { name: "Run" }));
  const dialog = within(await screen.findByRole("dialog"));
  return { ...page, dialog, run: () => page.user.click(dialog.getByRole("button", { name: "Run" })) };
}

test("an action runs for real with the input of the form, and the page of the run opens", async () => {
  const { user, server, router, dialog, run } = await open(CALLABLE);
  server.answer("run_action", RUN);
  const amount = dialog.getByRole("textbox", { name: /^amount/ });
  await user.clear(amount);
  await user.type(amount, "12");
  await expectAccessible();
  await run();
  await eventually(() => expect(router.push).toHaveBeenCalledWith(`/runs/${RUN.run_id}`));
  expect(server.sent("run_action")).toEqual([{ slug: CALLABLE.action?.slug, input: { amount: 12 }, dry_run: false }]);
});

test("a workflow with a webhook runs with an event, which must be JSON", async () => {
  const { user, server, router, dialog, run } = await open(startedBy("webhook"));
  server.answer("run_workflow", { ...RUN, run_id: idOf(7) });
  const event = dialog.getByRole<HTMLTextAreaElement>("textbox", { name: /^Event/ });
  expect(JSON.parse(event.value)).toEqual({ body: {} });
  await user.clear(event);
  await user.type(event, "{{");
  await run();
  await dialog.findByText("Enter a JSON object.");
  await user.clear(event);
  await user.type(event, '{{"body":7}');
  await run();
  await eventually(() => expect(router.push).toHaveBeenCalledWith(`/runs/${idOf(7)}`));
  expect(server.sent("run_workflow")).toEqual([{ workflow_id: expect.any(String), event: { body: 7 } }]);
});

test("a schedule runs without an event, and a refusal is shown in the dialog", async () => {
  const { server, router, dialog, run } = await open(startedBy("schedule"));
  server.refuse("run_workflow", { code: "RATE_LIMIT_EXCEEDED", message: "You have used all runs of this hour." });
  await run();
  expect((await dialog.findByRole("alert")).textContent).toContain("You have used all runs of this hour.");
  expect(server.sent("run_workflow")).toEqual([{ workflow_id: expect.any(String) }]);
  expect(router.push).not.toHaveBeenCalled();
});

test("is not shown to a viewer, before the first publish, or for what nothing may start", () => {
  const paused = CALLABLE.action && { ...CALLABLE, action: { ...CALLABLE.action, status: "paused" as const } };
  const hidden: [RunnableWorkflow, "viewer" | "editor"][] = [
    [CALLABLE, "viewer"],
    [{ ...CALLABLE, deployed_version: null }, "editor"],
    [{ ...CALLABLE, archived_at: "2026-01-01T00:00:00.000Z" }, "editor"],
    [paused ?? CALLABLE, "editor"],
  ];
  for (const [workflow, role] of hidden) {
    const page = renderPage(<RunButton workflow={workflow} />, { session: { role } });
    expect(screen.queryByRole("button", { name: "Run" })).toBeNull();
    page.unmount();
  }
});
