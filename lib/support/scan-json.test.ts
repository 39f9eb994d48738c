import { expect, test, vi } from "vitest";
import { findJsonExcess, parseBoundedJson } from "#lib/support/scan-json";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const filler = `"${"x".repeat(5_000)}"`;
const bounds = { depth: 4, elements: 100 };

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
    expect(findJsonExcess(JSON.stringify(value), { depth: 100, elements: count(value) - 1 })).toBe("elements");
  }
});

test("a text beyond the bounds is refused before anything is built from it", () => {
  const parse = vi.spyOn(JSON, "parse");
  expect(() => parseBoundedJson(`[${"[],".repeat(200_000)}0]`)).toThrow("contains more than 200,000 values");
  expect(() => parseBoundedJson("[".repeat(1_000_000))).toThrow("nested deeper than 32 levels");
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test("a short text is parsed without a scan", () => {
  const charCodeAt = vi.spyOn(String.prototype, "charCodeAt");
  expect(parseBoundedJson(`[${"[],".repeat(1_000)}0]`)).toHaveLength(1_001);
  expect(charCodeAt).not.toHaveBeenCalled();
  charCodeAt.mockRestore();
});
