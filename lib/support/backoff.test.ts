import { expect, test } from "vitest";
import { backoffMs } from "#lib/support/backoff";

test("the longest delay doubles from 1 s up to 30 s", () => {
  expect([1, 2, 3, 4, 5, 6, 60].map((retry) => backoffMs(retry, 0.999999))).toEqual([
    999, 1_999, 3_999, 7_999, 15_999, 29_999, 29_999,
  ]);
});

test("jitter is full: a delay can have any length from zero to the longest", () => {
  expect(backoffMs(3, 0)).toBe(0);
  expect(backoffMs(3, 0.5)).toBe(2_000);
});
