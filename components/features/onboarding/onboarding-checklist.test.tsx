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

test("a new workspace is guided from publishing to a key to a call", async () => {
  renderSteps({});
  const list = await steps();
  list.getByText("Open or create a workflow, then press Activate.");
  expect(list.getByRole("link", { name: "New API key" }).getAttribute("href")).toBe("/keys?new=true");
  list.getByText("Finish the first two steps to get a call that you can paste.");
  expect(list.queryByText("(done)")).toBeNull();
  screen.getByText("The list");
  await expectAccessible();
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
