import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { UsageObject } from "#lib/contract/workspace/workspace";
import { UsageSection } from "@/components/features/settings/usage-section";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { workspaceUsage } from "@/components/testing/workspace.fixture";

function renderUsage(usage: Partial<UsageObject> = {}) {
  return renderPage(<UsageSection />, { prepare: (server) => server.answer("get_usage", workspaceUsage(usage)) });
}

/** Returns the figure next to a label. */
const figureOf = async (label: RegExp) => (await screen.findByText(label)).nextElementSibling?.textContent;

test("the plan's usage is shown against its limits", async () => {
  renderUsage({ plan: "pro", keys: { used: 2, limit: 25 }, requests_per_window: 600, members: 1_200 });
  await screen.findByText(/^Pro/);
  expect(await figureOf(/^Runs in January 2026/)).toBe("250 of 1,000");
  expect(await figureOf(/^Your runs/)).toBe("3 of 100");
  expect(await figureOf(/^Active API keys/)).toBe("2 of 25");
  expect(await figureOf(/^Requests/)).toMatch(/600$/);
  expect(await figureOf(/^Members/)).toMatch(/^1,200/);
  await expectAccessible();
});

test("a plan without a limit says so instead of showing a share", async () => {
  renderUsage({ runs: { used: 9_000, limit: null }, requests_per_window: null });
  expect(await figureOf(/^Runs in/)).toMatch(/^9,000.*no limit$/i);
  expect(await figureOf(/^Requests/)).toMatch(/no limit/i);
});

test("the month is the calendar month in UTC, whatever the time zone of the viewer", async () => {
  renderUsage({ month: "2026-03-01" });
  await screen.findByText(/March 2026/);
});

test("the section links to the usage page", async () => {
  renderUsage();
  expect((await screen.findByRole("link", { name: "Usage" })).getAttribute("href")).toBe("/usage");
});

test("usage that fails to load can be retried", async () => {
  const { user, server } = renderPage(<UsageSection />, {
    prepare: (fake) => fake.refuse("get_usage", { code: "INTERNAL_ERROR", message: "It did not work." }),
  });
  const alert = within(await screen.findByRole("alert"));
  alert.getByText("It did not work.");
  alert.getByText("req-test");
  server.answer("get_usage", workspaceUsage());
  await user.click(alert.getByRole("button", { name: /try again/i }));
  expect(await figureOf(/^Runs in/)).toBe("250 of 1,000");
});
