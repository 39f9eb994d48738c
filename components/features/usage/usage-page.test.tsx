import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RunUsageObject } from "#lib/contract/run/run-usage";
import type { UsageObject } from "#lib/contract/workspace/workspace";
import { eventually } from "#lib/support/eventually.fixture";
import { UsagePage } from "@/components/features/usage/usage-page";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { planUsage, runUsage, usageCounts, usageDay } from "@/components/testing/usage.fixture";

const COUNTS = usageCounts({ succeeded: 1_100, failed: 60, timed_out: 40, open: 5 });
const BUSY = runUsage({
  counts: COUNTS,
  p50_ms: 420,
  p95_ms: 2_500,
  days: [usageDay(1, { succeeded: 600, failed: 60 }), usageDay(2, { succeeded: 500, timed_out: 40, open: 5 })],
});

// The days that a test expects are those that the page has read, also at midnight.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-10T12:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

function renderUsage(usage: RunUsageObject, options: { address?: string; plan?: UsageObject } = {}) {
  return renderPage(<UsagePage />, {
    address: options.address ?? "/usage",
    prepare: (server) => {
      server.answer("get_run_usage", usage);
      server.answer("get_usage", options.plan ?? planUsage());
    },
  });
}

/** Returns the value of a summary figure. */
async function figure(label: string): Promise<string> {
  const term = await screen.findByText(label, { selector: "dt" });
  return term.nextElementSibling?.textContent ?? "";
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

const dayChoice = () => screen.getByRole("combobox", { name: "Days" });

test("the summary shows the runs, the failure rate of ended runs and the durations", async () => {
  renderUsage(BUSY);
  expect(await figure("Runs in 2 days")).toBe("1,205");
  expect(await figure("Failed or timed out")).toMatch(/^8\.3\s?%$/);
  expect(await figure("Median")).toBe("420 ms");
  expect(await figure("95th percentile")).toBe("2.5 s");
  await expectAccessible();
});

test("the two numbers of runs say what each of them counts", async () => {
  renderUsage(BUSY);
  const noteOf = async (label: string) =>
    (await screen.findByText(label, { selector: "dt" })).parentElement?.lastElementChild?.textContent;
  expect(await noteOf("Runs in 2 days")).toBe("Without tests and dry runs");
  expect(await noteOf("Runs this month")).toBe("Of the plan, with tests, in UTC");
});

test("without a finished run, the failure rate and the durations are unknown rather than zero", async () => {
  renderUsage(runUsage({ counts: usageCounts({ open: 2 }), days: [usageDay(1, { open: 2 })] }));
  expect(await figure("Runs in 1 day")).toBe("2");
  expect(await figure("Failed or timed out")).toBe("–");
  expect(await figure("Median")).toBe("–");
});

test("the runs of this month are shown against the plan's limit", async () => {
  renderUsage(BUSY, { plan: planUsage({ plan: "pro", runs: { used: 7_500, limit: 10_000 } }) });
  const meter = await screen.findByRole<HTMLMeterElement>("meter");
  expect([meter.value, meter.max]).toEqual([7_500, 10_000]);
  screen.getByText("of 10,000 (pro)");
});

test("a plan no limit shows no meter", async () => {
  renderUsage(BUSY, { plan: planUsage({ runs: { used: 7_500, limit: null } }) });
  await screen.findByText("no limit");
  screen.getByText("7,500");
  expect(screen.queryByRole("meter")).toBeNull();
});

test("the whole range is requested without a first day", async () => {
  const { server } = renderUsage(BUSY);
  await screen.findByText("Runs in 2 days");
  expect(server.sent("get_run_usage")).toEqual([{}]);
});

test("a shorter range starts that many days ago, including today, and is kept in the URL", async () => {
  const { user, server } = renderUsage(BUSY);
  await screen.findByText("Runs in 2 days");
  await user.selectOptions(dayChoice(), "Last 7 days");
  await eventually(() => expect(server.sent("get_run_usage").at(-1)).toEqual({ from: daysAgo(6) }));
  expect(window.location.search).toBe("?range=7d");
});

test("a custom range requests its first and last day", async () => {
  const { user, server } = renderUsage(BUSY);
  await user.selectOptions(dayChoice(), "custom");
  const first = screen.getByLabelText<HTMLInputElement>("First day");
  expect([first.min, first.max]).toEqual([daysAgo(29), daysAgo(0)]);
  fireEvent.change(first, { target: { value: daysAgo(9) } });
  fireEvent.change(screen.getByLabelText("Last day"), { target: { value: daysAgo(3) } });
  await eventually(() => expect(server.sent("get_run_usage").at(-1)).toEqual({ from: daysAgo(9), to: daysAgo(3) }));
});

test("an invalid date in the URL is left out of the request", async () => {
  const { server } = renderUsage(BUSY, { address: "/usage?range=custom&from=yesterday&to=2026-99-99" });
  await screen.findByText("Runs in 2 days");
  expect(server.sent("get_run_usage")).toEqual([{}]);
});

test("days can be counted in UTC when the workspace is in another time zone", async () => {
  const zoned = {
    workspace: { workspace_id: idOf(1), slug: "acme", name: "Acme", plan: "free" as const, time_zone: "Asia/Tokyo" },
  };
  const { user, server } = renderPage(<UsagePage />, {
    address: "/usage",
    session: zoned,
    prepare: (fake) => {
      fake.answer("get_run_usage", BUSY);
      fake.answer("get_usage", planUsage());
    },
  });
  const zone = screen.getByRole("combobox", { name: "Time zone" });
  within(zone).getByRole("option", { name: "Asia/Tokyo (workspace)" });
  await user.selectOptions(zone, "UTC");
  await eventually(() => expect(server.sent("get_run_usage").at(-1)).toEqual({ time_zone: "UTC" }));
});

test("a period without runs links to the actions that can be called", async () => {
  renderUsage(runUsage());
  await screen.findByText("No runs in the last 30 days");
  expect(screen.getByRole("link", { name: "Choose an action to call" }).getAttribute("href")).toBe("/actions");
  expect(screen.queryByRole("table")).toBeNull();
});

test("a short range without runs does not claim that nothing ran for 30 days", async () => {
  renderUsage(runUsage(), { address: "/usage?range=7d" });
  await screen.findByText("No runs on these days");
});

test("usage that fails to load can be retried", async () => {
  const { user, server } = renderPage(<UsagePage />, {
    address: "/usage",
    prepare: (fake) => {
      fake.refuse("get_run_usage", { code: "INTERNAL_ERROR", message: "It did not work." });
      fake.answer("get_usage", planUsage());
    },
  });
  await screen.findByText("Couldn't load the usage.");
  server.answer("get_run_usage", BUSY);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Runs in 2 days");
});
