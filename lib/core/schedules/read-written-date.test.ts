import { describe, expect, test } from "vitest";
import { readWrittenDate, readWrittenMoment } from "#lib/core/schedules/read-written-date";

describe("what is written", () => {
  test.each([
    ["2026-11-23", "2026-11-23T00:00:00.000Z", null],
    ["2026-11-23T10:05", "2026-11-23T10:05:00.000Z", null],
    ["2026-11-23 10:05:06.7", "2026-11-23T10:05:06.700Z", null],
    ["2026-11-23t10:05:06,123456789z", "2026-11-23T10:05:06.123Z", 0],
    ["2026-11-23T10:05:06+02", "2026-11-23T10:05:06.000Z", 120],
    ["2026-11-23 10:05:06 -0330", "2026-11-23T10:05:06.000Z", -210],
    ["2026-11-23T10:05+14:00", "2026-11-23T10:05:00.000Z", 840],
    ["2026-11-23T10:05-00:00", "2026-11-23T10:05:00.000Z", 0],
    ["0001-01-01", "0001-01-01T00:00:00.000Z", null],
    ["0099-12-31T23:59:59Z", "0099-12-31T23:59:59.000Z", 0],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z", 0],
    ["2024-02-29", "2024-02-29T00:00:00.000Z", null],
  ])("%j shows %s, and its minutes ahead of UTC are %j", (text, wall, minutes) => {
    const read = readWrittenDate(text);
    expect(new Date(read?.wallMs ?? Number.NaN).toISOString()).toBe(wall);
    expect(read?.aheadMs).toBe(minutes === null ? null : minutes * 60_000);
    expect(read?.hasTime).toBe(text.length > 10);
  });

  test("the digits after the milliseconds are kept, so that two moments of one millisecond have an order", () => {
    expect(readWrittenDate("2026-11-23T10:05:06.123456Z")?.finerDigits).toBe("456");
    expect(readWrittenDate("2026-11-23T10:05:06.123000Z")?.finerDigits).toBe("");
    expect(readWrittenDate("2026-11-23T10:05:06.1Z")?.finerDigits).toBe("");
  });
});

test.each([
  "",
  "soon",
  "2026-02-30",
  "2027-02-29",
  "2026-13-01",
  "2026-00-10",
  "2026-11-00",
  "2026-11-23T24:00Z",
  "2026-11-23T10:60Z",
  "2026-11-23T10:05:60Z",
  "2026-11-23T10",
  "2026-11-23T10:05:06.",
  "2026-11-23T10:05:06.1234567890Z",
  "2026-11-23T10:05+99:99",
  "2026-11-23T10:05+24:00",
  "2026-11-23T10:05+02:60",
  "2026-11-23T10:05+2",
  "2026-11-23Z",
  "2026-11-23T10:05Z[Europe/Berlin]",
  "+002026-11-23",
  "26-11-23",
  "2026-1-2",
  "20261123",
  " 2026-11-23",
  "2026-11-23T10:05 ",
  "２０２６-11-23",
])("%j is no date", (text) => {
  expect(readWrittenDate(text)).toBeNull();
});

test("a moment needs an offset, and a day starts at midnight in UTC", () => {
  expect(readWrittenMoment("2026-11-23T08:05:00+02:00")).toBe(Date.parse("2026-11-23T06:05:00Z"));
  expect(readWrittenMoment("2026-11-23")).toBe(Date.parse("2026-11-23T00:00:00Z"));
  for (const text of ["2026-11-23T08:05:00", "2026-02-30", "01/02/2026", "1", "1700000000"]) {
    expect(readWrittenMoment(text)).toBeNull();
  }
});
