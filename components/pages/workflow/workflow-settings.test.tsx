import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { RunObject } from "#lib/contract/run/run";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { WorkflowRuns } from "@/components/pages/workflow/workflow-runs";
import { WorkflowSettings } from "@/components/pages/workflow/workflow-settings";
import { pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { callableWorkflow } from "@/components/testing/workflow.fixture";

const WORKFLOW: WorkflowDetailObject = {
  ...callableWorkflow({ tags: ["billing"] }),
  shown: "draft",
  definition: { nodes: [], edges: [] },
  problems: [],
  input_schema: null,
  output_schema: null,
  versions: [],
};
const ID = WORKFLOW.workflow_id;

function renderSettings(workflow = WORKFLOW, role: Role = "editor") {
  return renderPage(<WorkflowSettings workflowId={ID} />, {
    address: `/workflows/${ID}/settings`,
    session: { role },
    prepare: (server) => {
      server.answer("get_workflow", workflow);
      server.answer("update_workflow", workflow);
      server.answer("list_workflows", pageOf([]));
    },
  });
}

test("the tabs lead to the editor, the runs, the versions and the settings, and mark the page that is open", async () => {
  renderSettings();
  const tabs = within(await screen.findByRole("navigation", { name: "Workflow" }));
  expect(tabs.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    `/workflows/${ID}`,
    `/workflows/${ID}/runs`,
    `/workflows/${ID}/versions`,
    `/workflows/${ID}/settings`,
  ]);
  expect(tabs.getByRole("link", { current: "page" }).textContent).toBe("Settings");
  await screen.findByRole("region", { name: "General" });
  await expectAccessible();
});

test("a new name and description are saved without touching the drawing", async () => {
  const { user, server } = renderSettings();
  const name = await screen.findByRole("textbox", { name: /^Name/ });
  await user.clear(name);
  await user.type(name, "Refunds again");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  await eventually(() => expect(server.sent("update_workflow")).toHaveLength(1));
  const [sent] = server.sent("update_workflow");
  expect(sent).toMatchObject({ workflow_id: ID, name: "Refunds again" });
  expect(sent).not.toHaveProperty("definition");
});

test("the settings name the action, its policy, the tags and the limits", async () => {
  renderSettings();
  const action = within(await screen.findByRole("region", { name: "Action" }));
  action.getByText("Runs start at once");
  expect(action.getByRole("link", { name: "refund" }).getAttribute("href")).toBe("/actions/refund");
  screen.getByText("billing");
  within(screen.getByRole("region", { name: "Limits" })).getByText("30 seconds");
});

test("a viewer reads the settings and can change nothing", async () => {
  renderSettings(WORKFLOW, "viewer");
  await screen.findByText("Editors, admins and owners can change these.");
  expect(screen.queryByRole("button", { name: /Save|Delete|Archive|Edit tags|Duplicate/ })).toBeNull();
  expect(screen.getByRole("textbox", { name: /^Name/ })).toHaveProperty("disabled", true);
});

test("deleting asks first", async () => {
  const { user, server } = renderSettings();
  const danger = within(await screen.findByRole("region", { name: "Danger zone" }));
  await user.click(danger.getByRole("button", { name: "Delete…" }));
  await screen.findByRole("alertdialog");
  expect(server.sent("delete_workflow")).toEqual([]);
});

test("the runs of a workflow are those of every origin, and the list asks for this workflow alone", async () => {
  const { server } = renderPage(<WorkflowRuns workflowId={ID} />, {
    address: `/workflows/${ID}/runs`,
    prepare: (fake) => {
      fake.answer("get_workflow", WORKFLOW);
      fake.answer("list_runs", pageOf<RunObject>([]));
      fake.answer("list_workflows", pageOf([]));
    },
  });
  await screen.findByText("No runs yet");
  const [sent] = server.sent("list_runs");
  expect(sent).toMatchObject({ workflow_id: ID });
  expect(sent?.source).toBeUndefined();
});
