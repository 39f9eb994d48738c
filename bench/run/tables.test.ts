import { describe, expect, test } from "vitest";
import { formatRows, isViolated, limitRow, noteRow, zeroRow } from "#bench/faults/result-table";
import { compareToFloor, compareToNumber, formatTable } from "#bench/figures";
import { groupedMedian, median, percentile } from "#bench/measure/statistics";
import { madeCall, resumeSeconds } from "#bench/stage/outside";

describe("a row of the result table", () => {
  test("breaks a promise if its count is anything but zero", () => {
    expect([0, 1, -1, Number.NaN].map((count) => isViolated(zeroRow("r1", "runs lost", count)))).toEqual([
      ...[false, true, true, true],
    ]);
  });

  test("is missed if its time is over the limit or was not measured, which breaks no promise", () => {
    const rows = [0.5, 0.51, Number.NaN].map((seconds) => limitRow("r2", "resumed after", seconds, 0.5, "s"));
    expect(rows.map(({ isMet }) => isMet)).toEqual([true, false, false]);
    expect(rows.some(isViolated)).toBe(false);
  });

  test("shows its verdict", () => {
    const rows = [zeroRow("r1", "lost", 0), zeroRow("r1", "lost", 2), limitRow("r1", "p95", 3, 2, "s")];
    const verdicts = formatRows([...rows, noteRow("r1", "runs", "9")]).split("\n");
    expect(verdicts.map((line) => line.split(/\s{2,}/).at(-1))).toEqual(["measured", "ok", "VIOLATED", "missed", "9"]);
  });
});

describe("a figure", () => {
  const isMet = (measured: number, floor: number) =>
    [{ atLeast: 0.9 }, { atMost: 0.9 }].map((bound) => compareToFloor("", { measured, floor }, bound).isMet);

  test("is compared with its floor", () => {
    expect(isMet(9, 10)).toEqual([true, true]);
    expect(isMet(8, 10)).toEqual([false, true]);
    expect(isMet(10, 10)).toEqual([true, false]);
  });

  test("is missed if it or its floor was not measured", () => {
    expect(isMet(Number.NaN, 10)).toEqual([false, false]);
    expect(isMet(10, Number.NaN)).toEqual([false, false]);
    expect(compareToNumber("", Number.NaN, { atMost: 1 }).isMet).toBe(false);
    expect(compareToNumber("", Number.NaN, { atLeast: 1 }).isMet).toBe(false);
  });

  test("shows whether it met its target", () => {
    const figures = [compareToNumber("met", 1, { atMost: 1 }), compareToNumber("not", 2, { atMost: 1 })];
    expect(formatTable(figures)).toMatch(/^met .* ok\nnot .* MISSED\n$/m);
  });
});

describe("the statistics", () => {
  test("the median is the middle, or the mean of the two middles", () => {
    expect([[3, 1, 2], [4, 1, 2, 3], [7], []].map(median)).toEqual([2, 2.5, 7, Number.NaN]);
  });

  test("a percentile is a value that was measured, and no larger share of the values is above it", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([0, 0.5, 0.95, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 50, 95, 99, 100]);
    expect(percentile([5], 0.99)).toBe(5);
    expect(percentile([], 0.5)).toBeNaN();
  });

  test("the grouped median is inside the class of the middle", () => {
    expect(groupedMedian([1, 2, 2, 3])).toBe(2);
    expect(groupedMedian([2, 2, 2, 3])).toBeCloseTo(2.17);
    expect(groupedMedian([1, 2, 2, 2])).toBeCloseTo(1.83);
  });
});

test("the time to resume is from the death of a caller to the next call with the same key", () => {
  const call = (atMs: number, droppedAtMs: number | null) => ({ ...madeCall("run:s1:"), atMs, droppedAtMs });
  const calls = {
    resumed: [call(0, 500), call(2_500, null)],
    lost: [call(0, 500)],
    calm: [call(0, null), call(9, null)],
  };
  expect(resumeSeconds(new Map(Object.entries(calls)))).toEqual([2]);
});
