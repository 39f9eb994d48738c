import { expect, test } from "vitest";
import { isStarved } from "#lib/platform/metrics/is-starved";

test.each([
  ["a process that waited for the processor", 3_885, 96, true],
  ["a process that was stopped", 60_000, 0, true],
  ["a process that computed all the time", 1_000, 990, false],
  ["a process that computed on two cores", 1_000, 1_900, false],
  ["a process that shared its core with one other", 1_000, 500, false],
])("%s", (_name, elapsedMs, cpuMs, expected) => {
  expect(isStarved({ elapsedMs, cpuMs })).toBe(expected);
});
