import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { WorkflowObject } from "#lib/contract/workflow/workflow";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { WorkflowList } from "@/components/features/workflows/workflow-list";
import { idOf, pageOf, secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { callableWorkflow, sampleWorkflow } from "@/components/testing/workflow.fixture";

interface Options {
  role?: Role;
  address?: string;
}

function renderWorkflows(workflows: WorkflowObject[], { role = "editor", address = "/workflows" }: Options = {}) {
  return renderPage(<WorkflowList />, {
    address,
    session: { role },
    prepare: (server) => {
      server.answer("list_workflows", pageOf(workflows));
      server.answer("list_workflow_activity", { data: [], counted_max: 100 });
      server.answer("list_workflow_outlines", { data: [] });
      server.answer("list_tags", { data: [{ tag: "billing", workflows: 2 }] });
      server.answer("get_onboarding", { action_slug: "refund", has_key: true, first_run_id: idOf(99) });
    },
  });
}

const lastList = (page: ReturnType<typeof renderWorkflows>) => page.server.sent("list_workflows").at(-1);
const table = async () => within(await screen.findByRole("table", { name: "Workflows" }));

test("a row shows the status, the trigger, the last run and the owner of a workflow", async () => {
  renderWorkflows([
    callableWorkflow({
      tags: ["billing", "shop", "eu"],
      has_unpublished_changes: true,
      last_run: { run_id: idOf(7), status: "failed", created_at: secondsAgo(120) },
    }),
    sampleWorkflow({
      workflow_id: idOf(2),
      name: "Nightly",
      type: "event_driven",
      owner: null,
      trigger: { kind: "schedule", status: "paused", next_at: null, last_delivery: null },
    }),
  ]);
  const rows = await table();
  rows.getByText("Live v3");
  rows.getByText("Unpublished changes");
  rows.getByText("+1");
  expect(rows.getByRole("link", { name: "refund" }).getAttribute("href")).toBe("/actions/refund");
  rows.getByText("Draft only");
  rows.getByText("Schedule");
  rows.getByText("Paused");
  rows.getByText("No owner");
  rows.getByText("Never");
  expect(rows.getByRole("link", { name: /^Failed/ }).getAttribute("href")).toBe(`/runs/${idOf(7)}`);
  await expectAccessible();
});

test("filters are kept in the URL, are sent to the server, and are cleared together", async () => {
  const page = renderWorkflows([sampleWorkflow()]);
  await table();
  await page.user.selectOptions(screen.getByRole("combobox", { name: "State" }), "live");
  await page.user.selectOptions(screen.getByRole("combobox", { name: "Type" }), "callable");
  await page.user.selectOptions(screen.getByRole("combobox", { name: "Tag" }), "billing");
  await page.user.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "name");
  await eventually(() =>
    expect(lastList(page)).toMatchObject({
      state: "live",
      type: "callable",
      tag: "billing",
      sort: "name",
      order: "asc",
    }),
  );
  expect(window.location.search).toBe("?state=live&type=callable&tag=billing&sort=name");
  await page.user.click(screen.getByRole("button", { name: "Clear" }));
  await eventually(() => expect(window.location.search).toBe(""));
  expect(screen.queryByRole("button", { name: "Clear" })).toBeNull();
});

test("a search without a match shows the search text and can be cleared", async () => {
  const page = renderWorkflows([], { address: "/workflows?q=nothing" });
  await screen.findByText("No workflow has “nothing” in its name, slug or tags.");
  expect(lastList(page)).toMatchObject({ q: "nothing" });
  await page.user.click(screen.getByText("Clear search"));
  await screen.findByText("No workflows yet");
});

test("a search without a match mentions the filters that are set, and both can be cleared", async () => {
  const page = renderWorkflows([], { address: "/workflows?q=nothing&state=live" });
  await screen.findByText("No workflow that matches the filters has “nothing” in its name, slug or tags.");
  await page.user.click(screen.getByRole("button", { name: "Clear search and filters" }));
  await screen.findByText("No workflows yet");
});

test("filters without a match can be cleared", async () => {
  const page = renderWorkflows([], { address: "/workflows?state=live" });
  await screen.findByText("No workflow matches the filters.");
  await page.user.click(screen.getByRole("button", { name: "Clear filters" }));
  await screen.findByText("No workflows yet");
});

test("the slash key focuses the search, which is sent on Enter", async () => {
  const page = renderWorkflows([sampleWorkflow()]);
  await table();
  await page.user.keyboard("/");
  const search = screen.getByRole("searchbox", { name: "Search workflows" });
  expect(document.activeElement).toBe(search);
  await page.user.keyboard("refund{Enter}");
  await eventually(() => expect(lastList(page)).toMatchObject({ q: "refund" }));
  expect(window.location.search).toBe("?q=refund");
});

test("a tag in the URL that no workflow has anymore stays selected", async () => {
  renderWorkflows([], { address: "/workflows?tag=gone" });
  const tag = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Tag" });
  await eventually(() =>
    expect([...tag.options].map(({ label }) => label)).toEqual(["Any tag", "gone", "billing (2)"]),
  );
  expect(tag.value).toBe("gone");
});

test("pages follow each other by cursor, and filtering returns to the first page", async () => {
  const page = renderWorkflows([sampleWorkflow()]);
  page.server.answer("list_workflows", ({ cursor }) =>
    cursor === "second" ? pageOf([sampleWorkflow({ name: "Older" })]) : pageOf([sampleWorkflow()], "second"),
  );
  await page.user.click(await screen.findByRole("button", { name: "Next" }));
  await screen.findByRole("link", { name: "Older" });
  expect(window.location.search).toBe("?cursor=second");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Next" }).disabled).toBe(true);
  await page.user.selectOptions(screen.getByRole("combobox", { name: "State" }), "live");
  await eventually(() => expect(window.location.search).toBe("?state=live"));
});

test("the arrow keys move through the rows and X selects the focused one", async () => {
  const { user } = renderWorkflows([sampleWorkflow(), sampleWorkflow({ workflow_id: idOf(2), name: "Orders" })]);
  await table();
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(document.activeElement?.textContent).toBe("Orders");
  await user.keyboard("x");
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Choose Orders" }).checked).toBe(true);
  screen.getByText("1 workflow selected");
  await user.keyboard("{ArrowUp}");
  expect(document.activeElement?.textContent).toBe("Refunds");
});

test("a viewer can't select, create or change workflows", async () => {
  const { user } = renderWorkflows([sampleWorkflow()], { role: "viewer", address: "/workflows?new=true" });
  await table();
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByRole("button", { name: "New workflow" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "More for Refunds" }));
  await screen.findByRole("menu");
  expect(screen.getAllByRole("menuitem").map((item) => item.textContent)).toEqual(["Open canvas", "Export as JSON"]);
});

test("an empty workspace offers to create, to import or to use a template", async () => {
  const { user } = renderWorkflows([]);
  await screen.findByText("No workflows yet");
  expect(screen.getByRole("link", { name: "Templates" }).getAttribute("href")).toBe("/templates");
  await user.click(screen.getByRole("button", { name: "Import" }));
  await screen.findByRole("dialog", { name: "Import a workflow" });
  expect(window.location.search).toBe("?import=true");
});

test("a list that fails to load can be retried", async () => {
  const { user, server } = renderPage(<WorkflowList />, {
    prepare: (fake) => {
      fake.refuse("list_workflows", { code: "INTERNAL_ERROR", message: "It did not work." });
      fake.answer("list_tags", { data: [] });
      fake.answer("get_onboarding", { action_slug: null, has_key: true, first_run_id: idOf(99) });
    },
  });
  await screen.findByText("Couldn't load the workflows.");
  server.answer("list_workflows", pageOf<WorkflowObject>([]));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("No workflows yet");
});
