import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { VersionComparison } from "#lib/contract/action/publish";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { VersionPage } from "@/components/features/publish/version-page";
import { secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { callableWorkflow } from "@/components/testing/workflow.fixture";

type Version = WorkflowDetailObject["versions"][number];

function versionOf(version: number, changes: Partial<Version> = {}): Version {
  return { version, status: "archived", created_at: secondsAgo(3_600), note: null, published_by: "Ann", ...changes };
}

function workflowWith(versions: Version[], changes: Partial<WorkflowDetailObject> = {}): WorkflowDetailObject {
  return {
    ...callableWorkflow(),
    shown: "draft",
    definition: { nodes: [], edges: [] },
    problems: [],
    input_schema: null,
    output_schema: null,
    versions,
    ...changes,
  };
}

const WORKFLOW = workflowWith([versionOf(2, { status: "deployed", note: "Asks for a reason" }), versionOf(1)]);
const ID = WORKFLOW.workflow_id;
const COMPARISON: VersionComparison = {
  from: 1,
  to: 2,
  changes: [{ field: "reason", kind: "added_required", breaking: true, message: "reason is new and required" }],
  output_changes: [{ field: "total", kind: "removed", was: "integer", now: null }],
  graph: { added: [], removed: [], changed: [], lines_added: 0, lines_removed: 0 },
};

function renderVersions(workflow = WORKFLOW, { search = "", role = "owner" as Role } = {}) {
  return renderPage(<VersionPage workflowId={ID} />, {
    address: `/workflows/${ID}/versions${search}`,
    session: { role },
    prepare: (server) => {
      server.answer("get_workflow", workflow);
      server.answer("compare_versions", ({ from, to }) => ({ ...COMPARISON, from, to }));
    },
  });
}

const versions = async () => {
  await screen.findByText("v2");
  return screen.getAllByText(/^v\d$/).map((number) => within(number.closest("li") ?? document.body));
};

test("each version shows who published it with which note, and which one is live", async () => {
  renderVersions();
  const [second, first] = await versions();
  second?.getByText("Live");
  second?.getByText("Asks for a reason");
  second?.getByText(/^Ann,/);
  first?.getByText("Archived");
  first?.getByText("The first version.");
  await expectAccessible();
});

test("only a version that is not live can be published again", async () => {
  renderVersions();
  const [second, first] = await versions();
  expect(second?.queryByRole("button", { name: "Publish again…" })).toBeNull();
  first?.getByRole("button", { name: "Publish again…" });
});

test("a viewer sees the versions without any way to change them", async () => {
  renderVersions(WORKFLOW, { role: "viewer" });
  await versions();
  expect(screen.queryByRole("button", { name: /^(Publish again|Load into)/ })).toBeNull();
});

test("a workflow that was never published links to its canvas", async () => {
  renderVersions(workflowWith([]));
  await screen.findByText("No versions yet");
  const links = screen.getAllByRole("link", { name: "Open canvas" });
  expect(links.map((link) => link.getAttribute("href"))).toEqual([`/workflows/${ID}`, `/workflows/${ID}`]);
});

test("versions that fail to load offer a retry", async () => {
  const { user, server } = renderPage(<VersionPage workflowId={ID} />, {
    prepare: (fake) => fake.refuse("get_workflow", { code: "INTERNAL_ERROR", message: "It did not work." }),
  });
  const alert = within(await screen.findByRole("alert"));
  alert.getByText("Couldn't load the versions.");
  server.answer("get_workflow", WORKFLOW);
  await user.click(alert.getByRole("button", { name: "Try again" }));
  await versions();
});

test("a comparison is kept in the URL and links back to all versions", async () => {
  const { user, server } = renderVersions();
  await user.click(await screen.findByRole("button", { name: "Compare" }));
  await eventually(() => expect(window.location.search).toBe("?from=2&to=draft"));
  await screen.findByText(/reason is new and required/);
  expect(server.sent("compare_versions")).toEqual([{ workflow_id: ID, from: 2, to: "draft" }]);
  await user.selectOptions(screen.getByRole("combobox", { name: "Compare from" }), "Version 1");
  await user.selectOptions(screen.getByRole("combobox", { name: "Compare with" }), "Version 2");
  await eventually(() => expect(window.location.search).toBe("?from=1&to=2"));
  await user.click(screen.getByRole("button", { name: "All versions" }));
  await versions();
  expect(window.location.search).toBe("");
});

test("a comparison says which input changes break callers and what the output lost", async () => {
  renderVersions(WORKFLOW, { search: "?from=1&to=2" });
  await screen.findByText("Breaking");
  screen.getByText(/reason is new and required/);
  screen.getByText(/is removed/);
  await expectAccessible();
});

test("a comparison that fails to load offers a retry", async () => {
  const { user, server } = renderPage(<VersionPage workflowId={ID} />, {
    address: "/?from=1&to=2",
    prepare: (fake) => {
      fake.answer("get_workflow", WORKFLOW);
      fake.refuse("compare_versions", { code: "INTERNAL_ERROR", message: "It did not work." });
    },
  });
  const alert = within(await screen.findByRole("alert"));
  alert.getByText("Couldn't compare the versions.");
  server.answer("compare_versions", COMPARISON);
  await user.click(alert.getByRole("button", { name: "Try again" }));
  await screen.findByText("Breaking");
});

test("an earlier version replaces the draft only after a warning about unpublished changes", async () => {
  const { user, server, router } = renderVersions({ ...WORKFLOW, has_unpublished_changes: true });
  const [, first] = await versions();
  await user.click(first?.getByRole("button", { name: "Load into the draft…" }) ?? document.body);
  const dialog = within(await screen.findByRole("alertdialog", { name: "Load version 1 into the draft?" }));
  dialog.getByText("The draft has unpublished changes that will be lost.");
  expect(server.sent("update_workflow")).toEqual([]);
  server.answer("update_workflow", { ...WORKFLOW });
  await user.click(dialog.getByRole("button", { name: "Replace the draft" }));
  await eventually(() => expect(router.push).toHaveBeenCalledWith(`/workflows/${ID}`));
  expect(server.sent("get_workflow")).toContainEqual({ workflow_id: ID, version: 1 });
  expect(server.sent("update_workflow")).toMatchObject([{ workflow_id: ID, expected_revision: 1 }]);
});

test("a draft that someone saved meanwhile is not overwritten", async () => {
  const { user, server, router } = renderVersions();
  server.refuse("update_workflow", { code: "REVISION_CONFLICT", message: "The draft changed." });
  const [, first] = await versions();
  await user.click(first?.getByRole("button", { name: "Load into the draft…" }) ?? document.body);
  const dialog = within(await screen.findByRole("alertdialog"));
  await user.click(dialog.getByRole("button", { name: "Replace the draft" }));
  await dialog.findByText("The draft changed.");
  expect(router.push).not.toHaveBeenCalled();
});
