import { expect, test, vi } from "vitest";
import { findJsonExcess, parseBoundedJson } from "#lib/support/scan-json";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const filler = `"${"x".repeat(5_000)}"`;
const bounds = { depth: 4, elements: 100, names: 10 };

const members = (count: number, prefix = "") =>
  Array.from({ length: count }, (_, index) => `"${prefix}${index}":0`).join(",");

test.each([
  ["lists at the depth", `[[[[${filler}]]]]`, null],
  ["a list below the depth", `[[[[[${filler}]]]]]`, "depth"],
  ["lists one after another", `[${filler},${"[],".repeat(30)}0]`, null],
  ["as many values as allowed", `[${filler}${",0".repeat(97)}]`, null],
  ["a value more", `[${filler}${",0".repeat(99)}]`, "elements"],
  ["objects in objects", `{"a":{"b":{"c":{"d":{"e":${filler}}}}}}`, "depth"],
  ["brackets and commas in a text", `["${"[{,".repeat(5_000)}"]`, null],
  ["escaped quotes and brackets in a text", `["${'\\"[\\\\'.repeat(5_000)}"]`, null],
  ["a backslash at the end of a text", `["\\\\",${filler},[[[[0]]]]]`, "depth"],
  ["as many different names as allowed", `[${filler},{${members(9)}},{${members(9)}},{"n":0}]`, null],
  ["a name more", `[${filler},{${members(9)}},{${members(5)}},{"n":0,"m":0}]`, "names"],
  ["texts and values that look like names", `[${filler},${'"a:b","c",'.repeat(20)}0]`, null],
  ["names that differ in their last character only", `[${filler},{${members(11, "x".repeat(100))}}]`, "names"],
  ["text that is not JSON", `"${"x".repeat(5_000)}`, null],
])("%s: %#", (_, text, excess) => {
  expect(findJsonExcess(text, bounds)).toBe(excess);
});

test("the count is never below the number of values in random JSON", () => {
  const random = seededRandom(5);
  const count = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? 1 + Object.values(value).reduce((sum: number, item) => sum + count(item), 0)
      : 1;
  for (let round = 0; round < 300; round += 1) {
    const value = [filler, random.json(() => random.pick([1, null, 'a"b', "[,{", "\\"]), 6)];
    expect(findJsonExcess(JSON.stringify(value), { depth: 100, elements: count(value) - 1, names: 1_000 })).toBe(
      "elements",
    );
  }
});

test("a text beyond the bounds is refused before anything is built from it", () => {
  const parse = vi.spyOn(JSON, "parse");
  expect(() => parseBoundedJson(`[${"[],".repeat(200_000)}0]`)).toThrow("contains more than 200,000 values");
  expect(() => parseBoundedJson(`{${members(20_001)}}`)).toThrow("contains more than 20,000 different names");
  expect(() => parseBoundedJson("[".repeat(1_000_000))).toThrow("nested deeper than 32 levels");
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test("a text with as many different names as allowed is parsed, and they can repeat", () => {
  expect(Object.keys(parseBoundedJson(`{${members(20_000)}}`) as object)).toHaveLength(20_000);
  expect(parseBoundedJson(`[{${members(9_000)}},{${members(9_000)}},{${members(9_000)}}]`)).toHaveLength(3);
});

test("a short text is parsed without a scan", () => {
  const charCodeAt = vi.spyOn(String.prototype, "charCodeAt");
  expect(findJsonExcess(`[${"[],".repeat(1_000)}0]`)).toBeNull();
  expect(charCodeAt).not.toHaveBeenCalled();
  charCodeAt.mockRestore();
});
