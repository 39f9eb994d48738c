import { describe, expect, test } from "vitest";
import { parseHttpDate, parseRetryAfter, waitOfSeconds } from "#lib/connectors/sdk/parse-wait";
import { LIMITS } from "#lib/contract/limits";

const NOW = new Date("2026-03-01T12:00:00Z");

describe("Retry-After", () => {
  test.each<[string, number]>([
    ["0", 0],
    ["120", 120_000],
    [" 3 ", 3_000],
    ["1.5", 1_500],
    ["007", 7_000],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30_000],
    ["Sunday, 01-Mar-26 12:00:30 GMT", 30_000],
    ["Sun Mar  1 12:00:30 2026", 30_000],
    ["2026-03-01T12:00:10Z", 10_000],
    ["2026-03-01T14:00:10+02:00", 10_000],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
    ["Sun Nov  6 08:49:37 1994", 0],
    ["99999999999999999999", LIMITS.retryAfterMs],
    ["Fri, 31 Dec 9999 23:59:59 GMT", LIMITS.retryAfterMs],
  ])("%s is %i ms", (header, ms) => {
    expect(parseRetryAfter(header, NOW)).toBe(ms);
  });

  test.each([
    "",
    "-5",
    "+3",
    "1.",
    ".5",
    "0x10",
    "1e3",
    "3, 5",
    "5 seconds",
    "5s",
    "NaN",
    "Infinity",
    "50%",
    "1 000",
    "2026-03-01",
    "March 1, 2026",
    "Sun, 30 Feb 2026 12:00:30 GMT",
    "Sun, 01 Mar 2026 24:00:30 GMT",
    "Sun, 01 Foo 2026 12:00:30 GMT",
    "Sun, 01 Mar 2026 12:00:30 PST",
    "Sun, 1 Mar 2026 12:00:30 GMT",
  ])("%j is ignored", (header) => {
    expect(parseRetryAfter(header, NOW)).toBeNull();
  });

  test("a response without it has none", () => {
    expect(parseRetryAfter(undefined, NOW)).toBeNull();
  });
});

test("a year of two digits is at most 50 years ahead", () => {
  const year = (text: string) => new Date(parseHttpDate(text, NOW) ?? Number.NaN).getUTCFullYear();
  expect(year("Monday, 06-Nov-76 08:49:37 GMT")).toBe(2076);
  expect(year("Monday, 06-Nov-77 08:49:37 GMT")).toBe(1977);
});

test("seconds in a body are a wait only if they are a number from 0", () => {
  expect([waitOfSeconds(0), waitOfSeconds(2.5), waitOfSeconds(1e18)]).toEqual([0, 2_500, LIMITS.retryAfterMs]);
  for (const value of [-5, Number.NaN, "3", null, undefined, {}]) expect(waitOfSeconds(value)).toBeNull();
});
