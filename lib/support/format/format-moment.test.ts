import { describe, expect, test } from "vitest";
import {
  formatDateTime,
  formatDay,
  formatInstant,
  formatMonth,
  formatTime,
  hasHalfDays,
} from "#lib/support/format/format-moment";

const NEW_YORK = { locale: "en-US", timeZone: "America/New_York" };
const BERLIN = { locale: "de-DE", timeZone: "Europe/Berlin" };
const ENGLISH_IN_BERLIN = { locale: "en-DE", timeZone: "Europe/Berlin" };
const AT = "2026-11-21T05:08:37.000Z";

test.each([
  ["formatInstant", formatInstant, NEW_YORK, "Nov 21, 2026, 12:08:37 AM EST"],
  ["formatInstant", formatInstant, BERLIN, "21.11.2026, 06:08:37 MEZ"],
  ["formatInstant", formatInstant, ENGLISH_IN_BERLIN, "21 Nov 2026, 06:08:37 CET"],
  ["formatDateTime", formatDateTime, NEW_YORK, "Sat, Nov 21, 2026, 12:08 AM EST"],
  ["formatDateTime", formatDateTime, BERLIN, "Sa., 21. Nov. 2026, 06:08 MEZ"],
  ["formatDateTime", formatDateTime, ENGLISH_IN_BERLIN, "Sat, 21 Nov 2026, 06:08 CET"],
  ["formatTime", formatTime, NEW_YORK, "12:08:37 AM"],
  ["formatTime", formatTime, BERLIN, "06:08:37"],
])("%s formats a moment by the reader's conventions", (_name, format, reader, words) => {
  expect(format(AT, reader)).toBe(words);
  expect(format(new Date(AT), reader)).toBe(words);
  expect(format(Date.parse(AT), reader)).toBe(words);
});

test("a missing or invalid date is a dash", () => {
  for (const format of [formatInstant, formatDateTime, formatTime]) {
    expect(format(null, BERLIN)).toBe("–");
    expect(format("not a date", BERLIN)).toBe("–");
  }
});

describe("when clocks change", () => {
  test.each([
    ["before the spring jump", "2026-03-29T00:59:59Z", "29 Mar 2026, 01:59:59 CET"],
    ["after the spring jump", "2026-03-29T01:00:00Z", "29 Mar 2026, 03:00:00 CEST"],
    ["in the first 02:30 of autumn", "2026-10-25T00:30:00Z", "25 Oct 2026, 02:30:00 CEST"],
    ["in the second 02:30 of autumn", "2026-10-25T01:30:00Z", "25 Oct 2026, 02:30:00 CET"],
  ])("around a clock change, the zone name makes a moment unambiguous: %s", (_when, at, words) => {
    expect(formatInstant(at, ENGLISH_IN_BERLIN)).toBe(words);
  });
});

test("English has AM and PM in New York but not in Berlin", () => {
  expect([NEW_YORK, ENGLISH_IN_BERLIN].map((reader) => hasHalfDays(reader))).toEqual([true, false]);
});

test("a day and a month are the same in every zone", () => {
  for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    expect(formatDay("2026-11-21", { locale: "en-US", timeZone })).toBe("Nov 21");
    expect(formatMonth("2026-11-01", { locale: "en-US", timeZone })).toBe("November 2026");
  }
  expect(formatDay("2026-11-21", BERLIN)).toBe("21. Nov.");
});
