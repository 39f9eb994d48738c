import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { OPEN_RUN_STATUSES } from "#lib/contract/run/run";
import { DurationsChart } from "@/components/features/usage/durations-chart";
import { RunsChart } from "@/components/features/usage/runs-chart";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { usageDay } from "@/components/testing/usage.fixture";

const DAYS = [
  usageDay(1, { succeeded: 1_200, failed: 3 }, { p50_ms: 200, p95_ms: 900 }),
  usageDay(2, {}),
  usageDay(3, { succeeded: 4, open: 1 }, { p50_ms: 1_500, p95_ms: 90_000 }),
];

function cellsOf(table: HTMLElement): string[][] {
  return within(table)
    .getAllByRole("row")
    .map((row) => Array.from(row.children, (cell) => cell.textContent));
}

test("the values of the runs chart are available as a table, the last day first", async () => {
  const { user } = renderPage(<RunsChart days={DAYS} />);
  expect(screen.queryByRole("table")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Runs per day: show as a table" }));
  expect(cellsOf(screen.getByRole("table", { name: "Runs per day" }))).toEqual([
    ["Day", "Succeeded", "Failed", "Open"],
    ["Nov 3", "4", "0", "1"],
    ["Nov 2", "0", "0", "0"],
    ["Nov 1", "1,200", "3", "0"],
  ]);
  await expectAccessible();
  await user.click(screen.getByRole("button", { name: "Runs per day: show as a chart" }));
  expect(screen.queryByRole("table")).toBeNull();
});

test("a count in the table links to the runs of that day with that status, and a zero has no link", async () => {
  const { user } = renderPage(<RunsChart days={DAYS} />);
  await user.click(screen.getByRole("button", { name: /show as a table/ }));
  const href = screen.getByRole("link", { name: "1" }).getAttribute("href") ?? "";
  expect(Object.fromEntries(new URL(href, "http://localhost").searchParams)).toEqual({
    status: OPEN_RUN_STATUSES.join(","),
    range: "custom",
    after: "2026-11-03T00:00:00.000Z",
    before: "2026-11-04T00:00:00.000Z",
  });
  expect(screen.queryByRole("link", { name: "0" })).toBeNull();
});

test("the legend of the runs chart names only statuses that occurred", () => {
  renderPage(<RunsChart days={DAYS} />);
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Succeeded",
    "Failed",
    "Open",
  ]);
});

test("a bar is labeled with its day and its runs and is not a tab stop", async () => {
  const { container, user } = renderPage(<RunsChart days={DAYS} />);
  const titles = Array.from(container.querySelectorAll("title"), ({ textContent }) => textContent);
  expect(titles).toEqual(["Nov 1: 1,203 runs", "Nov 2: 0 runs", "Nov 3: 5 runs"]);
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole("button"));
  await user.tab();
  expect(document.activeElement?.closest("a")).toBeNull();
});

test("the durations table shows both lines and a dash for a day without a successful run", async () => {
  const { user } = renderPage(<DurationsChart days={DAYS} />);
  await user.click(screen.getByRole("button", { name: "Durations: show as a table" }));
  const [heads, third, second, first] = cellsOf(screen.getByRole("table", { name: "Durations per day" }));
  expect(heads).toEqual(["Day", "Median", "95th percentile"]);
  expect(first).toEqual(["Nov 1", "200 ms", "900 ms"]);
  expect(second).toEqual(["Nov 2", "–", "–"]);
  expect(third?.[1]).toBe("1.5 s");
});

test("a day without a value interrupts the durations line", () => {
  const { container } = renderPage(<DurationsChart days={DAYS} />);
  const line = container.querySelector('svg[viewBox="0 0 30 100"] path');
  const path = line?.getAttribute("d") ?? "";
  expect(path.match(/M/g)).toHaveLength(2);
  expect(path).not.toContain("L");
});
