import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { OnboardingObject } from "#lib/contract/run/run-usage";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { TEMPLATES } from "#lib/core/templates/templates";
import { eventually } from "#lib/support/eventually.fixture";
import { OnboardingChecklist } from "@/components/features/onboarding/onboarding-checklist";
import { sampleAction } from "@/components/testing/action.fixture";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { sampleRun } from "@/components/testing/run.fixture";

const LIST = (
  <OnboardingChecklist skeleton={<p>Loading</p>}>
    <p>The list</p>
  </OnboardingChecklist>
);

function renderSteps(onboarding: Partial<OnboardingObject>) {
  return renderPage(LIST, {
    prepare: (server) => {
      server.answer("list_templates", pageOf([...TEMPLATES]));
      server.answer("get_onboarding", { action_slug: null, has_key: false, first_run_id: null, ...onboarding });
    },
  });
}

const steps = async () => within(await screen.findByRole("region", { name: "First steps" }));

test("a new workspace is guided from publishing to a key to a call", async () => {
  renderSteps({});
  const list = await steps();
  list.getByText("Start with a template, or create your own workflow and press Activate.");
  expect(list.getByRole("link", { name: "New API key" }).getAttribute("href")).toBe("/keys?new=true");
  list.getByText("Finish the first two steps to get a call that you can paste.");
  expect(list.queryByText("(done)")).toBeNull();
  screen.getByText("The list");
  await expectAccessible();
});

test("one press publishes a template and runs it, and the call to paste is shown in the same place", async () => {
  const run = sampleRun({ status: "succeeded" });
  const { user, server } = renderSteps({});
  server.answer("create_workflow", { workflow_id: idOf(7) } as Partial<WorkflowDetailObject> as WorkflowDetailObject);
  server.answer("deploy_workflow", {
    workflow_id: idOf(7),
    version: 1,
    status: "deployed",
    action: { slug: "hello-world", status: "active", approval_policy: "never", release_version: 1 },
    breaking_changes: [],
    warnings: [],
  });
  server.answer("run_action", run);
  server.answer("get_run_status", run);
  const list = await steps();
  const starts = await list.findByRole("list", { name: "Templates to start with" });
  expect(within(starts).getAllByRole("listitem")).toHaveLength(3);
  server.answer("get_onboarding", { action_slug: "hello-world", has_key: true, first_run_id: null });
  server.answer("get_action", sampleAction({ slug: "hello-world" }));
  await user.click(within(starts).getByRole("button", { name: /Hello, world$/ }));
  await list.findByText("hello-world");
  await list.findByText("Succeeded");
  await list.findByRole("figure", { name: "Make a first call" });
  expect(server.sent("deploy_workflow")).toEqual([{ workflow_id: idOf(7), slug: "hello-world" }]);
  expect(server.sent("run_action")).toEqual([{ slug: "hello-world", input: { name: "Ada" } }]);
  await expectAccessible();
});

test("a template whose slug is taken is published under another one", async () => {
  const { user, server } = renderSteps({});
  server.answer("create_workflow", { workflow_id: idOf(7) } as Partial<WorkflowDetailObject> as WorkflowDetailObject);
  server.refuse("deploy_workflow", { code: "SLUG_TAKEN", message: "Another workflow has this slug." });
  const list = await steps();
  await user.click(await list.findByRole("button", { name: /Hello, world$/ }));
  await eventually(() =>
    expect(server.sent("deploy_workflow")).toEqual([
      { workflow_id: idOf(7), slug: "hello-world" },
      { workflow_id: idOf(7), slug: `hello-world-${idOf(7).slice(-6)}` },
    ]),
  );
  await screen.findByText("Another workflow has this slug.");
});

test("a finished step is checked off", async () => {
  renderSteps({ action_slug: "refund" });
  const list = await steps();
  expect(list.getByText("refund").closest("li")?.textContent).toContain("(done)");
  expect(list.getAllByText("(done)")).toHaveLength(1);
});

test("dismissed first steps stay hidden on the next visit", async () => {
  const { user, unmount } = renderSteps({});
  await user.click((await steps()).getByRole("button", { name: "Dismiss the first steps" }));
  expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
  unmount();
  const { server } = renderSteps({});
  await screen.findByText("The list");
  expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
  expect(server.sent("get_onboarding")).toEqual([]);
});

test("a workspace that has been called before shows no first steps", async () => {
  renderSteps({ action_slug: "refund", has_key: true, first_run_id: idOf(1) });
  await screen.findByText("The list");
  expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
});

test("the list waits until the first steps are known, so that nothing is pushed down", async () => {
  const { server } = renderSteps({});
  const release = server.hold("get_onboarding");
  expect(screen.queryByText("The list")).toBeNull();
  screen.getByText("Loading");
  release();
  await eventually(() => screen.getByText("The list"));
});
