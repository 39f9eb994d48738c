import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ActionDetailObject } from "#lib/contract/action/action";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { ActionReleases } from "@/components/pages/action/action-releases";
import { sampleAction } from "@/components/testing/action.fixture";
import { secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { callableWorkflow } from "@/components/testing/workflow.fixture";

type Version = WorkflowDetailObject["versions"][number];

function versionOf(version: number, changes: Partial<Version> = {}): Version {
  return { version, status: "archived", created_at: secondsAgo(3_600), note: null, published_by: "Ann", ...changes };
}

function releaseOf(version: number, breaking: boolean): ActionDetailObject["releases"][number] {
  return { version, breaking, deployed_at: secondsAgo(3_600) };
}

const WORKFLOW: WorkflowDetailObject = {
  ...callableWorkflow(),
  shown: "draft",
  definition: { nodes: [], edges: [] },
  problems: [],
  input_schema: null,
  output_schema: null,
  versions: [versionOf(2, { status: "deployed", note: "Asks for a reason" }), versionOf(1)],
};

function renderReleases(releases: ActionDetailObject["releases"] = [], role: Role = "editor") {
  return renderPage(<ActionReleases action={sampleAction({ releases })} />, {
    session: { role },
    prepare: (server) => server.answer("get_workflow", WORKFLOW),
  });
}

/** The rows of the releases, newest first. */
async function rows() {
  const list = await screen.findByRole("list", { name: "Versions" });
  return [...list.children].map((row) => within(row as HTMLElement));
}

test("the releases are listed with who published them and why, newest first", async () => {
  const { server } = renderReleases();
  const [second, first] = await rows();
  second?.getByText("v2");
  second?.getByText("Asks for a reason");
  second?.getByText(/^Ann/);
  first?.getByText("v1");
  expect(server.sent("get_workflow")).toEqual([{ workflow_id: sampleAction().workflow_id }]);
  await expectAccessible();
});

test("releases that broke callers are named above the list", async () => {
  renderReleases([releaseOf(3, true), releaseOf(2, false), releaseOf(1, true)]);
  const warning = screen.getByText(/^Breaking/).closest("p");
  expect(warning?.textContent).toMatch(/v3, v1/);
  expect(warning?.textContent).not.toContain("v2");
});

test("releases that broke no caller come without a warning", async () => {
  renderReleases([releaseOf(2, false), releaseOf(1, false)]);
  await rows();
  expect(screen.queryByText(/breaking/i)).toBeNull();
});

test("only an earlier release can be published again", async () => {
  renderReleases();
  const [second, first] = await rows();
  expect(second?.queryByRole("button", { name: /^Publish/ })).toBeNull();
  first?.getByRole("button", { name: /^Publish/ });
});

test("a viewer reads the releases and can publish none of them", async () => {
  renderReleases([], "viewer");
  await rows();
  expect(screen.queryByRole("button")).toBeNull();
});

test("what a release changed is asked for when it is opened", async () => {
  const { user, server } = renderReleases();
  server.answer("compare_versions", ({ from, to }) => ({
    from,
    to,
    changes: [{ field: "reason", kind: "added_required", breaking: true, message: "reason is new and required" }],
    output_changes: [],
    graph: { added: [], removed: [], changed: [], lines_added: 0, lines_removed: 0 },
  }));
  const [second, first] = await rows();
  expect(first?.queryByRole("group")).toBeNull();
  expect(server.sent("compare_versions")).toEqual([]);
  await user.click(second?.getByText(/since version 1$/) ?? document.body);
  await second?.findByText(/reason is new and required/);
  await eventually(() => expect(server.sent("compare_versions")).toMatchObject([{ from: 1, to: 2 }]));
});

test("releases that could not be loaded can be asked for again", async () => {
  const { user, server } = renderPage(<ActionReleases action={sampleAction()} />, {
    prepare: (fake) => fake.refuse("get_workflow", { code: "INTERNAL_ERROR", message: "It did not work." }),
  });
  await screen.findByText("It did not work.");
  server.answer("get_workflow", WORKFLOW);
  await user.click(screen.getByRole("button", { name: /try again/i }));
  await rows();
});
