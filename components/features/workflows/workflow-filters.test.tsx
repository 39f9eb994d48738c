import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { WorkflowList } from "@/components/features/workflows/workflow-list";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { renderPage } from "@/components/testing/render-page.fixture";
import { callableWorkflow, sampleWorkflow } from "@/components/testing/workflow.fixture";

interface Options {
  role?: Role;
  address?: string;
  tags?: { tag: string; workflows: number }[];
}

function renderWorkflows(workflows: WorkflowObject[], options: Options = {}) {
  const { role = "editor", address = "/workflows", tags = [] } = options;
  return renderPage(<WorkflowList />, {
    address,
    session: { role },
    prepare: (server) => {
      server.answer("list_workflows", pageOf(workflows));
      server.answer("list_workflow_activity", { data: [], counted_max: 100 });
      server.answer("list_workflow_outlines", { data: [] });
      server.answer("list_tags", { data: tags });
      server.answer("get_onboarding", { action_slug: "refund", has_key: true, first_run_id: idOf(99) });
    },
  });
}

const lastList = ({ server }: ReturnType<typeof renderWorkflows>) => server.sent("list_workflows").at(-1);
const table = async () => within(await screen.findByRole("table", { name: "Workflows" }));
const choice = (name: string | RegExp) => screen.getByRole<HTMLSelectElement>("combobox", { name });

test.each([
  ["updated", "desc"],
  ["created", "desc"],
  ["name", "asc"],
] as const)("sorting by %s requests the %s order", async (sort, order) => {
  const page = renderWorkflows([sampleWorkflow()], { address: `/workflows?sort=${sort}` });
  await table();
  expect(lastList(page)).toMatchObject({ sort, order });
  expect(choice(/sort/i).value).toBe(sort);
});

test("sorting alone is not a filter: there is nothing to clear", async () => {
  renderWorkflows([sampleWorkflow()], { address: "/workflows?sort=name" });
  await table();
  expect(screen.queryByRole("button", { name: /^Clear/ })).toBeNull();
});

test("the filters of a link are applied when the page opens", async () => {
  const page = renderWorkflows([sampleWorkflow()], { address: "/workflows?state=archived&type=event_driven&q=night" });
  await table();
  expect(page.server.sent("list_workflows")).toMatchObject([{ state: "archived", type: "event_driven", q: "night" }]);
  expect([choice("State").value, choice("Type").value]).toEqual(["archived", "event_driven"]);
});

test("unknown filter values in the URL are left out of the request", async () => {
  const page = renderWorkflows([sampleWorkflow()], { address: "/workflows?state=gone&type=none&sort=size" });
  await table();
  const sent = lastList(page);
  expect(sent).not.toHaveProperty("state");
  expect(sent).not.toHaveProperty("type");
  expect(sent).toMatchObject({ sort: "updated" });
});

test("a workspace without tags has no tag filter", async () => {
  renderWorkflows([sampleWorkflow()]);
  await table();
  expect(screen.queryByRole("combobox", { name: "Tag" })).toBeNull();
});

test("a filter can be removed on its own", async () => {
  const page = renderWorkflows([sampleWorkflow()], {
    address: "/workflows?state=live&tag=billing",
    tags: [{ tag: "billing", workflows: 2 }],
  });
  await table();
  await page.user.selectOptions(choice("State"), "");
  await eventually(() => expect(window.location.search).toBe("?tag=billing"));
  expect(lastList(page)).not.toHaveProperty("state");
});

test("filters without a match say so, and clearing them shows every workflow again", async () => {
  const page = renderWorkflows([], { address: "/workflows?state=archived" });
  page.server.answer("list_workflows", ({ state }) => pageOf(state === undefined ? [sampleWorkflow()] : []));
  const nothing = await screen.findByRole("heading", { name: /no results/i });
  expect(screen.queryByRole("heading", { name: /^No workflows/ })).toBeNull();
  await page.user.click(within(nothing.parentElement ?? document.body).getByRole("button", { name: /^Clear/ }));
  await table();
  expect(window.location.search).toBe("");
});

test("filtering the list clears the selection", async () => {
  const { user } = renderWorkflows([sampleWorkflow()]);
  await table();
  await user.click(screen.getByRole("checkbox", { name: /Refunds/ }));
  screen.getByText(/^1 workflow /);
  await user.selectOptions(choice("State"), "live");
  await eventually(() => expect(screen.queryByText(/^1 workflow /)).toBeNull());
});

test("an empty workspace shows no filters, and offers a viewer no way to create", async () => {
  renderWorkflows([], { role: "viewer" });
  await screen.findByRole("heading", { name: /^No workflows/ });
  expect(screen.queryByRole("searchbox")).toBeNull();
  expect(screen.queryByRole("button", { name: /new workflow|import/i })).toBeNull();
});

test("N opens the form of a new workflow, which is kept in the URL", async () => {
  const { user } = renderWorkflows([sampleWorkflow()]);
  await table();
  await user.keyboard("n");
  await screen.findByRole("dialog");
  expect(window.location.search).toBe("?new=true");
  await user.keyboard("{Escape}");
  await eventually(() => expect(window.location.search).toBe(""));
});

test("a webhook shows when it was last called, a schedule when it fires next", async () => {
  const calledAt = secondsAgo(120);
  const firesAt = secondsAgo(-3_600);
  renderWorkflows([
    sampleWorkflow({
      name: "Orders",
      type: "event_driven",
      trigger: {
        kind: "webhook",
        status: "active",
        next_at: null,
        last_delivery: { received_at: calledAt, verdict: "accepted" },
      },
    }),
    sampleWorkflow({
      workflow_id: idOf(2),
      name: "Nightly",
      type: "event_driven",
      trigger: { kind: "schedule", status: "active", next_at: firesAt, last_delivery: null },
    }),
  ]);
  const rows = await table();
  const timesOf = (name: string) =>
    [...(rows.getByRole("link", { name }).closest("tr")?.querySelectorAll("time") ?? [])].map((time) => time.dateTime);
  expect(timesOf("Orders")).toContain(calledAt);
  expect(timesOf("Nightly")).toContain(firesAt);
});

test("an archived workflow is marked as archived even if it has a deployed version", async () => {
  renderWorkflows([callableWorkflow({ archived_at: secondsAgo(60), has_unpublished_changes: true })]);
  const rows = await table();
  rows.getByText(/^Archived$/);
  expect(rows.queryByText(/v3/)).toBeNull();
});
