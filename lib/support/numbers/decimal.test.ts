import { expect, test } from "vitest";
import { compareDecimals, parseDecimal, roundDecimal, writeDecimal } from "#lib/support/numbers/decimal";
import { seededRandom } from "#lib/support/seeded-random.fixture";

function round(text: string, places: number): string | null {
  const decimal = parseDecimal(text);
  return decimal && writeDecimal(roundDecimal(decimal, places));
}

test.each([
  ["2.345", 2, "2.35"],
  ["-2.5", 0, "-3"],
  ["2.3449999999999999999", 2, "2.34"],
  ["0.005", 2, "0.01"],
  ["0.0049", 2, "0"],
  ["-0.0049", 2, "0"],
  ["9.995", 2, "10"],
  ["999999999999999999999.5", 0, "1000000000000000000000"],
  ["0.5e-3", 3, "0.001"],
  ["0.4e-3", 3, "0"],
  ["1e-9", 2, "0"],
  ["123456789012345678901234567890.125", 2, "123456789012345678901234567890.13"],
  ["1E-7", 9, "0.0000001"],
  ["-0", 2, "0"],
  ["000.1000", 3, "0.1"],
])("%s to %i places is %s, by its digits", (text, places, expected) => {
  expect(round(text, places)).toBe(expected);
});

test("numbers of JSON that are written without an exponent are the same number", () => {
  const random = seededRandom(5);
  for (let run = 0; run < 2_000; run += 1) {
    const number = (random.below(2) === 0 ? -1 : 1) * random.below(1_000_000_000) * 10 ** (random.below(60) - 40);
    const decimal = parseDecimal(String(number));
    if (decimal === null || Number(writeDecimal(decimal)) !== number)
      expect(number).toBe(writeDecimal(decimal ?? { sign: 0, digits: "", point: 0 }));
  }
});

test("digits decide the order, however many there are", () => {
  const sorted = [
    "-1e400",
    "-1e308",
    "-9007199254740993",
    "-9007199254740992",
    "-0.1",
    "-1e-400",
    "0",
    "1e-400",
    "5e-324",
  ];
  sorted.push(
    "0.1",
    "0.100000000000000000000000000001",
    "1",
    "9007199254740992",
    "9007199254740993",
    "1e308",
    "1e400",
    "1e401",
  );
  for (const [at, left] of sorted.entries()) {
    for (const [other, right] of sorted.entries()) {
      const order = compareDecimals(left, right) ?? Number.NaN;
      expect([order < 0, order === 0, order > 0], `${left} ${right}`).toEqual([at < other, at === other, at > other]);
    }
  }
  expect([compareDecimals("0.0", "-0"), compareDecimals("1.50", "15e-1"), compareDecimals("x", "1")]).toEqual([
    0,
    0,
    null,
  ]);
});
