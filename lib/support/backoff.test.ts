import { expect, test } from "vitest";
import { backoffMs } from "#lib/support/backoff";

test("the longest delay doubles from the first one up to 60 s", () => {
  const longest = (firstMs: number) => [1, 2, 3, 4, 5, 6, 7, 60].map((retry) => backoffMs(retry, firstMs, 0.999999));
  expect(longest(1_000)).toEqual([999, 1_999, 3_999, 7_999, 15_999, 31_999, 59_999, 59_999]);
  expect(longest(60_000).every((ms) => ms === 59_999)).toBe(true);
});

test("jitter is full: a delay can have any length from zero to the longest", () => {
  expect(backoffMs(3, 1_000, 0)).toBe(0);
  expect(backoffMs(3, 1_000, 0.5)).toBe(2_000);
});
