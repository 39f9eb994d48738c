import { expect, it } from "vitest";
import type { RunObject } from "#lib/contract/run/run";
import { arrangeRuns } from "@/components/features/runs/list/arrange-runs";

const run = (id: string, second: number, status: RunObject["status"] = "running") =>
  ({ run_id: id, status, created_at: `2026-11-21T08:00:${String(second).padStart(2, "0")}.000Z` }) as RunObject;

it("shows the first response unchanged", () => {
  const fresh = [run("b", 2), run("a", 1)];
  expect(arrangeRuns(null, fresh)).toEqual({ runs: fresh, newCount: 0 });
});

it("updates rows in place and counts the newer runs without moving anything", () => {
  const { runs, newCount } = arrangeRuns(
    [run("b", 2), run("a", 1)],
    [run("c", 3), run("b", 2, "succeeded"), run("a", 1)],
  );
  expect(runs.map(({ run_id, status }) => [run_id, status])).toEqual([
    ["b", "succeeded"],
    ["a", "running"],
  ]);
  expect(newCount).toBe(1);
});

it("keeps a row that newer runs have pushed off the page", () => {
  const { runs, newCount } = arrangeRuns([run("b", 2), run("a", 1)], [run("d", 4), run("c", 3)]);
  expect(runs.map(({ run_id }) => run_id)).toEqual(["b", "a"]);
  expect(newCount).toBe(2);
});

it("does not count older runs that move up when another run leaves the filter", () => {
  expect(arrangeRuns([run("b", 9), run("a", 8)], [run("a", 8), run("z", 1)]).newCount).toBe(0);
});

it("fills an empty page at once", () => {
  expect(arrangeRuns([], [run("a", 1)])).toEqual({ runs: [run("a", 1)], newCount: 0 });
});
