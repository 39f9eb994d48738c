import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import { eventually } from "#lib/support/eventually.fixture";
import { WorkflowList } from "@/components/features/workflows/workflow-list";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { callableWorkflow, sampleWorkflow } from "@/components/testing/workflow.fixture";

type Page = ReturnType<typeof renderPage>;

function renderWorkflows(workflows: WorkflowObject[]) {
  return renderPage(<WorkflowList />, {
    address: "/workflows",
    prepare: (server) => {
      server.answer("list_workflows", pageOf(workflows));
      server.answer("list_workflow_activity", { data: [], counted_max: 100 });
      server.answer("list_workflow_outlines", { data: [] });
      server.answer("list_tags", { data: [] });
      server.answer("get_onboarding", { action_slug: null, has_key: true, first_run_id: idOf(99) });
    },
  });
}

async function choose({ user }: Page, ...names: string[]) {
  await screen.findByRole("table", { name: "Workflows" });
  for (const name of names) await user.click(screen.getByRole("checkbox", { name: `Choose ${name}` }));
}

async function act({ user }: Page, name: string, item: string) {
  await user.click(await screen.findByRole("button", { name: `More for ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
}

const ORDERS = sampleWorkflow({ workflow_id: idOf(2), name: "Orders" });
const outcome = (workflow: WorkflowObject, error: string | null = null) => ({
  workflow_id: workflow.workflow_id,
  name: workflow.name,
  error,
});

test("archiving a callable workflow says which callers are refused, and archives the action too", async () => {
  const page = renderWorkflows([callableWorkflow()]);
  page.server.answer("archive_workflows", { data: [outcome(callableWorkflow())] });
  await act(page, "Refunds", "Archive…");
  const question = within(await screen.findByRole("alertdialog", { name: "Archive “Refunds”?" }));
  expect(question.getByText(/get 409/).textContent).toBe("Callers of refund will get 409 ACTION_UNAVAILABLE.");
  await expectAccessible();
  await page.user.click(question.getByRole("button", { name: "Archive" }));
  await screen.findByText("1 workflow archived.");
  expect(page.server.sent("archive_workflows")).toEqual([{ workflow_ids: [idOf(1)], archive_action: true }]);
});

test("several selected workflows are archived together, and each refusal is shown", async () => {
  const returns = sampleWorkflow({ workflow_id: idOf(3), name: "Returns" });
  const page = renderWorkflows([sampleWorkflow(), ORDERS, returns]);
  page.server.answer("archive_workflows", {
    data: [outcome(sampleWorkflow()), outcome(ORDERS, "Orders is a step of Refunds."), outcome(returns)],
  });
  await choose(page, "Refunds", "Orders", "Returns");
  screen.getByText("3 workflows selected");
  await page.user.click(screen.getByRole("button", { name: "Archive…" }));
  await page.user.click(await screen.findByRole("button", { name: "Archive" }));
  await screen.findByText("Orders is a step of Refunds.");
  await screen.findByText("2 workflows archived.");
  expect(screen.queryByText("3 workflows selected")).toBeNull();
  expect(page.server.sent("archive_workflows")).toEqual([{ workflow_ids: [idOf(1), idOf(2), idOf(3)] }]);
});

test("a refused archive keeps the dialog and the selection", async () => {
  const page = renderWorkflows([sampleWorkflow()]);
  page.server.refuse("archive_workflows", { code: "FORBIDDEN", message: "You need the editor role." });
  await choose(page, "Refunds");
  await page.user.click(screen.getByRole("button", { name: "Archive…" }));
  const question = await screen.findByRole("alertdialog");
  await page.user.click(within(question).getByRole("button", { name: "Archive" }));
  expect((await within(question).findByRole("alert")).textContent).toBe("You need the editor role.");
  await page.user.click(within(question).getByRole("button", { name: "Cancel" }));
  screen.getByText("1 workflow selected");
});

test("archived workflows are restored at once, without a confirmation", async () => {
  const archived = sampleWorkflow({ archived_at: secondsAgo(60) });
  const page = renderWorkflows([archived]);
  page.server.answer("restore_workflows", { data: [outcome(archived)] });
  await choose(page, "Refunds");
  expect(screen.queryByRole("button", { name: "Archive…" })).toBeNull();
  await page.user.click(screen.getByRole("button", { name: "Restore" }));
  await screen.findByText("1 workflow restored. Actions and triggers are paused.");
  expect(page.server.sent("restore_workflows")).toEqual([{ workflow_ids: [idOf(1)] }]);
});

test("a workflow that agents call is deleted only after its slug was typed", async () => {
  const page = renderWorkflows([callableWorkflow()]);
  page.server.answer("delete_workflow", { workflow_id: idOf(1), deleted: true });
  await act(page, "Refunds", "Delete…");
  const confirm = await screen.findByRole<HTMLButtonElement>("button", { name: "Archive action and delete" });
  expect(confirm.disabled).toBe(true);
  await page.user.type(screen.getByRole("textbox", { name: "Type refund to confirm" }), "refund{Enter}");
  await screen.findByText("Workflow “Refunds” deleted.");
  expect(page.server.sent("delete_workflow")).toEqual([{ workflow_id: idOf(1), archive_action: true }]);
});

test("deleting a workflow with a webhook warns about its URL, and nothing has to be typed", async () => {
  const trigger = { kind: "webhook", status: "active", next_at: null, last_delivery: null } as const;
  const page = renderWorkflows([sampleWorkflow({ type: "event_driven", trigger })]);
  page.server.refuse("delete_workflow", { code: "WORKFLOW_IN_USE", message: "Orders has it as a step." });
  await act(page, "Refunds", "Delete…");
  const question = within(await screen.findByRole("alertdialog"));
  question.getByText(/^Its webhook URL is deleted too/);
  await page.user.click(question.getByRole("button", { name: "Delete workflow" }));
  expect((await question.findByRole("alert")).textContent).toBe("Orders has it as a step.");
  expect(page.server.sent("delete_workflow")).toEqual([{ workflow_id: idOf(1) }]);
});

test("a duplicate opens in the canvas, and a refusal is shown", async () => {
  const page = renderWorkflows([sampleWorkflow()]);
  page.server.refuse("duplicate_workflow", { code: "FORBIDDEN", message: "You need the editor role." });
  await act(page, "Refunds", "Duplicate");
  await screen.findByText("You need the editor role.");
  expect(page.router.push).not.toHaveBeenCalled();
});

test("each selected workflow is downloaded as a file named after it", async () => {
  const page = renderWorkflows([sampleWorkflow({ name: "Refunds & Returns" }), ORDERS]);
  const files: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    files.push(this.download);
  });
  Object.assign(URL, { createObjectURL: () => "blob:test", revokeObjectURL: () => undefined });
  page.server.answer("export_workflow", {
    format: "workflow-definition",
    format_version: 1,
    name: "Refunds",
    description: null,
    definition: { nodes: [], edges: [] },
    connections: [],
    secrets: [],
    notes: [],
  });
  await choose(page, "Refunds & Returns", "Orders");
  await page.user.click(screen.getByRole("button", { name: "Export" }));
  await eventually(() => expect(files).toEqual(["refunds-returns.json", "orders.json"]));
  vi.restoreAllMocks();
});

test("clearing the selection hides the bar", async () => {
  const page = renderWorkflows([sampleWorkflow()]);
  await choose(page, "Refunds");
  await page.user.click(screen.getByRole("button", { name: "Clear selection" }));
  expect(screen.queryByText("1 workflow selected")).toBeNull();
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Choose Refunds" }).checked).toBe(false);
});
