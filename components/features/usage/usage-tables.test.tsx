import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { ErrorUsage, KeyUsage, WorkflowUsage } from "@/components/features/usage/usage-tables";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { usageCounts } from "@/components/testing/usage.fixture";

const SPAN = { from: "2026-11-01T00:00:00.000Z", to: "2026-11-08T00:00:00.000Z" };
const REFUNDS = {
  workflow_id: idOf(1),
  name: "Refunds",
  action_slug: "refund",
  counts: usageCounts({ succeeded: 150, failed: 30, timed_out: 20, cancelled: 10 }),
  p50_ms: 300,
  p95_ms: null,
};
const BOT = { key_id: idOf(2), name: "Support bot", prefix: "svc_abcd", counts: usageCounts({ succeeded: 12 }) };

/** Returns the query of a link to the runs list. */
function filtersOf(name: string | RegExp, table: HTMLElement): Record<string, string> {
  const href = within(table).getByRole("link", { name }).getAttribute("href") ?? "";
  const url = new URL(href, "http://localhost");
  expect(url.pathname).toBe("/runs");
  return Object.fromEntries(url.searchParams);
}

test("a workflow shows its runs, its failure rate and its durations", async () => {
  renderPage(<WorkflowUsage workflows={[REFUNDS]} span={undefined} />);
  const row = screen.getByRole("row", { name: /Refunds/ });
  const cells = within(row)
    .getAllByRole("cell")
    .map((cell) => cell.textContent);
  expect(cells).toEqual(["Refundsrefund", "210", expect.stringMatching(/^25\s?%$/), "300 ms", "–"]);
  await expectAccessible();
});

test("a workflow links to its runs, and its failure rate to those that failed or timed out", () => {
  renderPage(<WorkflowUsage workflows={[REFUNDS]} span={undefined} />);
  const table = screen.getByRole("table", { name: "Runs by workflow" });
  expect(filtersOf("Refunds", table)).toEqual({ workflow: idOf(1), range: "30d" });
  expect(filtersOf(/%/, table)).toEqual({ workflow: idOf(1), status: "failed,timed_out", range: "30d" });
});

test("links of a shorter range list the runs of the same days", () => {
  renderPage(<WorkflowUsage workflows={[REFUNDS]} span={SPAN} />);
  const table = screen.getByRole("table", { name: "Runs by workflow" });
  const days = { range: "custom", after: SPAN.from, before: SPAN.to };
  expect(filtersOf("Refunds", table)).toEqual({ workflow: idOf(1), ...days });
});

test("a key shows its prefix and links to the runs that it started", () => {
  renderPage(<KeyUsage keys={[BOT]} span={undefined} />);
  const table = screen.getByRole("table", { name: "Runs by key" });
  within(table).getByText("svc_abcd…");
  expect(filtersOf("Support bot", table)).toEqual({ key: idOf(2), range: "30d" });
});

test("a workflow with only successful runs shows a failure rate of 0 percent", () => {
  renderPage(<KeyUsage keys={[BOT]} span={undefined} />);
  expect(screen.getByRole("link", { name: /%/ }).textContent).toMatch(/^0\s?%$/);
});

test("an error links to the failed runs with its code", () => {
  renderPage(<ErrorUsage errors={[{ code: "HTTP_ERROR", runs: 1_234 }]} span={undefined} />);
  const table = screen.getByRole("table", { name: "Failed runs by error" });
  within(table).getByText("1,234");
  expect(filtersOf("HTTP_ERROR", table)).toEqual({ status: "failed,timed_out", error: "HTTP_ERROR", range: "30d" });
});

test("a message replaces an empty table of keys or errors", () => {
  renderPage(
    <>
      <KeyUsage keys={[]} span={undefined} />
      <ErrorUsage errors={[]} span={undefined} />
    </>,
  );
  screen.getByText(/^No API key/);
  screen.getByText(/^No runs failed/);
  expect(screen.queryByRole("table")).toBeNull();
});
