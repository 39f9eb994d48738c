import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { OnboardingObject } from "#lib/contract/web/run-usage";
import { eventually } from "#lib/support/eventually.fixture";
import { OnboardingChecklist } from "@/components/features/onboarding/onboarding-checklist";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

const LIST = (
  <OnboardingChecklist skeleton={<p>Loading</p>}>
    <p>The list</p>
  </OnboardingChecklist>
);

function renderSteps(onboarding: Partial<OnboardingObject>) {
  return renderPage(LIST, {
    prepare: (server) =>
      server.answer("get_onboarding", { action_slug: null, has_key: false, first_run_id: null, ...onboarding }),
  });
}

const steps = async () => within(await screen.findByRole("region", { name: "First steps" }));

test("a new workspace is led from publishing to a key to a call", async () => {
  renderSteps({});
  const list = await steps();
  list.getByText("Open a workflow, or make one, and press Activate.");
  expect(list.getByRole("link", { name: "New API key" }).getAttribute("href")).toBe("/keys?new=true");
  list.getByText("Then the call to paste stands here.");
  expect(list.queryByText("(done)")).toBeNull();
  screen.getByText("The list");
  await expectAccessible();
});

test("what is done is checked off", async () => {
  renderSteps({ action_slug: "refund" });
  const list = await steps();
  expect(list.getByText("refund").closest("li")?.textContent).toContain("(done)");
  expect(list.getAllByText("(done)")).toHaveLength(1);
});

test("the steps that were put away stay away on the next visit", async () => {
  const { user, unmount } = renderSteps({});
  await user.click((await steps()).getByRole("button", { name: "Put the first steps away" }));
  expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
  unmount();
  const { server } = renderSteps({});
  await screen.findByText("The list");
  expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
  expect(server.sent("get_onboarding")).toEqual([]);
});

test("a workspace that was called before is shown no first steps", async () => {
  renderSteps({ action_slug: "refund", has_key: true, first_run_id: idOf(1) });
  await screen.findByText("The list");
  expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
});

test("until the steps are known, the list waits, so that nothing is pushed down", async () => {
  const { server } = renderSteps({});
  const release = server.hold("get_onboarding");
  expect(screen.queryByText("The list")).toBeNull();
  screen.getByText("Loading");
  release();
  await eventually(() => screen.getByText("The list"));
});
