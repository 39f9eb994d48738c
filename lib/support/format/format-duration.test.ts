import { expect, test } from "vitest";
import { formatDuration, formatMark, formatTimer } from "#lib/support/format/format-duration";

const US = { locale: "en-US", timeZone: "UTC" };
const GERMANY = { locale: "de-DE", timeZone: "Europe/Berlin" };

test.each([
  [0, "0 ms"],
  [-5, "0 ms"],
  [0.4, "0 ms"],
  [999, "999 ms"],
  [999.6, "1 s"],
  [1_000, "1 s"],
  [1_049, "1.0 s"],
  [1_234, "1.2 s"],
  [9_999, "9.9 s"],
  [10_000, "10 s"],
  [59_999, "59 s"],
  [200_000, "3 min 20 s"],
  [300_000, "5 min"],
  [3_600_000, "1 h"],
  [4_500_000, "1 h 15 min"],
  [172_800_000, "48 h"],
  [273_600_000, "3 d 4 h"],
  [2_592_000_000, "30 d"],
  [null, "–"],
  [Number.NaN, "–"],
])("%s ms are %s", (ms, words) => {
  expect(formatDuration(ms, US)).toBe(words);
});

test("a duration uses the reader's decimal separator", () => {
  expect(formatDuration(1_234, GERMANY)).toBe("1,2 s");
  expect(formatMark(12_345, 5, GERMANY)).toBe("12,345 s");
});

test("a mark is as precise as the distance to the next one", () => {
  expect(formatMark(0, 100)).toBe("0");
  expect(formatMark(250, 50)).toBe("250 ms");
  expect(formatMark(12_345, 5)).toBe("12.345 s");
  expect(formatMark(200_020, 20)).toBe("3 min 20.02 s");
  expect(formatMark(12_000, 2_000)).toBe("12 s");
});

test.each([
  [300_000, "5:00"],
  [245_000, "4:05"],
  [244_001, "4:05"],
  [1, "0:01"],
  [0, "0:00"],
  [-3_000, "0:00"],
])("%i ms before a deadline the timer shows %s", (leftMs, shown) => {
  expect(formatTimer(leftMs)).toBe(shown);
});
