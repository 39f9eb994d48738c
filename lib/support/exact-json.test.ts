import { describe, expect, test } from "vitest";
import {
  findRepeatedName,
  losesDigits,
  type PathInJson,
  parseKeepingDigits,
  parseMarkingDigits,
} from "#lib/support/exact-json";
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

const find = (text: string) => findRepeatedName(text, JSON.parse(text));

test.each([
  ['{"a":1,"a":2}', ["a"]],
  ['{"a":1,"a":1}', ["a"]],
  ['{"a":1,"\\u0061":2}', ["a"]],
  ['{"":1, "" : 2}', [""]],
  ['{ "a" :\n1 ,\t"a"\r\n: 2 }', ["a"]],
  ['{"__proto__":1,"__proto__":2}', ["__proto__"]],
  ['{"constructor":{},"constructor":{}}', ["constructor"]],
  ['{"a":{"b":1,"b":2}}', ["a", "b"]],
  ['{"x":{"a":1},"a":[{"a":1},{"b":{"a":1},"c":0,"b":2}]}', ["a", 1, "b"]],
  ['[[{}],[0,{"a":[],"a":{}}]]', [1, 1, "a"]],
  ['{"a":{"a":{"a":1}},"b":"a","a":0}', ["a"]],
  ['{"a\\"b":1,"a\\"b":2}', ['a"b']],
  ['{"a\\\\":1,"a\\\\":2}', ["a\\"]],
  ['{"text":"{\\"a\\":1,\\"a\\":2}","b":":","b":"::"}', ["b"]],
])("%s has a name twice in one object", (text, path) => {
  expect(find(text)).toEqual(path);
});

test.each([
  "null",
  '"a:a"',
  "[]",
  "{}",
  '{"a":1,"A":2}',
  '{"a":{"a":{"a":[{"a":1},{"a":2}]}}}',
  '[{"a":1},{"a":1}]',
  '{"a":"\\"a\\":1,\\"a\\":2","b":"::{[,"}',
  '{"__proto__":{"__proto__":1},"constructor":1,"toString":2}',
  '{"1":1,"01":2,"1.0":3}',
  '{"é":1,"e\u0301":2}',
])("%s has no name twice in one object", (text) => {
  expect(find(text)).toBeNull();
});

test("a large text is read in linear time, also one that consists of names, quotes, and spaces", () => {
  const texts = [
    JSON.stringify(Array.from({ length: 50_000 }, (_, at) => ({ [`a${at}`]: "x:y", b: { c: at } }))),
    `{${Array.from({ length: 50_000 }, (_, at) => `"${"k".repeat(at % 9)}${at}" ${" ".repeat(20)}: 1`).join(",")}}`,
    JSON.stringify({ text: '\\":'.repeat(300_000) }),
  ];
  for (const text of texts) expect(find(text)).toBeNull();
  const repeated = `{"list":[${'{"a":1,"b":2},'.repeat(50_000)}0],"z":1,"z":2}`;
  expect(find(repeated)).toEqual(["z"]);
});
