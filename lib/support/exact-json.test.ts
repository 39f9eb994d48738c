import { describe, expect, test } from "vitest";
import { losesDigits, type PathInJson, parseKeepingDigits, parseMarkingDigits } from "#lib/support/exact-json";
import { compareDecimals } from "#lib/support/numbers/decimal";

describe("a number loses digits", () => {
  test.each([
    "9007199254740992",
    "-9007199254740992",
    "9007199254740993",
    "8202522731445525542",
    "12345678901234567890123",
    "1".padEnd(400, "0"),
    "9007199254740993.0",
    "9007199254740993e0",
    "90071992547409.93e2",
    "12345678901234567.89",
    "1e400",
    "-1E400",
    "1e309",
    "1e-400",
    "-0.1E-323",
  ])("%s: beyond what a double can hold", (token) => {
    expect(losesDigits(token)).toBe(true);
  });

  test.each([
    "0",
    "-0",
    "9007199254740991",
    "-9007199254740991",
    "9007199254740991.0",
    "1e20",
    "1E22",
    "6.02214076e23",
    "1.7976931348623157e308",
    "5e-324",
    "0e-400",
    "0.000",
    "0.1",
    "0.30000000000000004",
    "0.12345678901234567890",
    "123456789.123456789",
    "19.99",
  ])("%s: no, a double keeps it", (token) => {
    expect(losesDigits(token)).toBe(false);
  });
});

function read(text: string): { value: unknown; kept: PathInJson[] } {
  const kept: PathInJson[] = [];
  return { value: parseKeepingDigits(text, (path) => kept.push(path)), kept };
}

describe("JSON from others", () => {
  test("keeps a long integer as its digits, and reports its place", () => {
    const text =
      '{"id":8202522731445525542,"ok":1,"list":[1, -9007199254740993 ,{"a.b":1E400}],"text":"8202522731445525542"}';
    expect(read(text)).toEqual({
      value: {
        id: "8202522731445525542",
        ok: 1,
        list: [1, "-9007199254740993", { "a.b": "1E400" }],
        text: "8202522731445525542",
      },
      kept: [["id"], ["list", 1], ["list", 2, "a.b"]],
    });
    expect(read("8202522731445525542")).toEqual({ value: "8202522731445525542", kept: [[]] });
  });

  test("changes nothing inside texts and names", () => {
    const value = {
      "8202522731445525542": 'say "id": 8202522731445525542, or 1e999',
      "a\\": "\\",
      b: ['"8202522731445525542', 0.30000000000000004],
    };
    expect(read(JSON.stringify(value))).toEqual({ value, kept: [] });
  });

  test("keeps a field that is called __proto__ a field", () => {
    const { value } = read('{"__proto__":{"a":1},"id":8202522731445525542}');
    expect(Object.keys(value as object)).toEqual(["__proto__", "id"]);
  });

  test.each([
    "{8202522731445525542}",
    "08202522731445525542",
    "[8202522731445525542.]",
    "1e999e9",
    "--9007199254740993",
  ])("%s is not JSON", (text) => {
    expect(() => parseKeepingDigits(text)).toThrow(SyntaxError);
    expect(() => parseMarkingDigits(text)).toThrow(SyntaxError);
  });
});

test("JSON that is validated has NaN where digits would be lost, and nowhere else", () => {
  const text = '{"a":[8202522731445525542,1e400,1e20,0.1,9007199254740991],"b":"9007199254740993"}';
  expect(parseMarkingDigits(text)).toEqual({
    a: [Number.NaN, Number.POSITIVE_INFINITY, 1e20, 0.1, 9007199254740991],
    b: "9007199254740993",
  });
});

test.each([
  ["9007199254740993", "9007199254740992", 1],
  ["-9007199254740993", "-9007199254740992", -1],
  ["9007199254740993.0", "9007199254740993", 0],
  ["1e21", "1000000000000000000000", 0],
  ["1e400", "1e401", -1],
  ["+5", "05.00", 0],
  ["-1", "1", -1],
  ["0", "-0.0", 0],
  [".5", "0.05", 1],
])("%s compared with %s", (left, right, sign) => {
  expect(Math.sign(compareDecimals(left, right) ?? Number.NaN)).toBe(sign);
});

test("what is not a decimal number has no order", () => {
  for (const text of ["", ".", "Infinity", "0x10", "1e", "NaN"]) expect(compareDecimals(text, "1")).toBeNull();
});
