import { expect, test } from "vitest";
import { formatBytes, formatCount, formatNumber, formatPercent } from "#lib/support/format/format-number";

const US = { locale: "en-US", timeZone: "UTC" };
const GERMANY = { locale: "de-DE", timeZone: "Europe/Berlin" };

test.each([
  [0, "0", "0"],
  [-1_234, "-1,234", "-1.234"],
  [1_000, "1,000", "1.000"],
  [12_345_678, "12,345,678", "12.345.678"],
  [null, "–", "–"],
  [Number.NaN, "–", "–"],
  [Number.POSITIVE_INFINITY, "–", "–"],
])("the number %s is %s in en-US and %s in de-DE", (value, us, germany) => {
  expect(formatNumber(value, {}, US)).toBe(us);
  expect(formatNumber(value, {}, GERMANY)).toBe(germany);
});

test("a number has the requested decimals", () => {
  expect(formatNumber(1.25, { max: 1 }, US)).toBe("1.3");
  expect(formatNumber(1, { max: 1 }, US)).toBe("1");
  expect(formatNumber(1, { min: 2, max: 2 }, GERMANY)).toBe("1,00");
});

test.each([
  [0, "0 runs", "0 runs"],
  [1, "1 run", "1 run"],
  [2, "2 runs", "2 runs"],
  [1_000, "1,000 runs", "1.000 runs"],
])("a count of %i is %s in en-US and %s in de-DE", (count, us, germany) => {
  expect(formatCount(count, "run", "runs", US)).toBe(us);
  expect(formatCount(count, "run", "runs", GERMANY)).toBe(germany);
});

test("a noun with an irregular plural keeps it", () => {
  expect([1, 2].map((count) => formatCount(count, "retry", "retries", US))).toEqual(["1 retry", "2 retries"]);
});

test.each([
  [0, "0%", "0 %"],
  [0.0004, "<0.1%", "<0,1 %"],
  [0.001, "0.1%", "0,1 %"],
  [0.034, "3.4%", "3,4 %"],
  [0.05, "5%", "5 %"],
  [0.0994, "9.9%", "9,9 %"],
  [0.0996, "10%", "10 %"],
  [0.256, "26%", "26 %"],
  [1, "100%", "100 %"],
  [-0.5, "-50%", "-50 %"],
  [null, "–", "–"],
  [Number.NaN, "–", "–"],
])("the share %s is %s in en-US and %s in de-DE", (share, us, germany) => {
  expect(formatPercent(share, US)).toBe(us);
  expect(formatPercent(share, GERMANY).replace("\u00a0", " ")).toBe(germany);
});

test.each([
  [0, "0 B", "0 B"],
  [1_023, "1,023 B", "1.023 B"],
  [1_024, "1 KiB", "1 KiB"],
  [1_536, "1.5 KiB", "1,5 KiB"],
  [65_536, "64 KiB", "64 KiB"],
  [1_048_575, "1 MiB", "1 MiB"],
  [1_048_576, "1 MiB", "1 MiB"],
  [10_485_760, "10 MiB", "10 MiB"],
  [null, "–", "–"],
])("%s bytes are %s in en-US and %s in de-DE", (bytes, us, germany) => {
  expect(formatBytes(bytes, US)).toBe(us);
  expect(formatBytes(bytes, GERMANY)).toBe(germany);
});
