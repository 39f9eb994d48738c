import { expect, test } from "vitest";
import { exceedsJsonBytes, measureJson, newKnownSizes } from "#lib/support/json-text/measure-json";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const TEXTS = [
  "",
  "a",
  '"',
  "\\",
  "\n",
  "\u0001",
  "é",
  "€",
  "😀",
  "\ud83d",
  "\ude00",
  "x\ude00\ud83d",
  "\u007f",
  "\ufffd",
];
const SCALARS = [0, -0, 1.5, 1e21, 1e-7, -12345.678, Number.NaN, true, false, null, undefined, [], {}];

test("the size of any value is that of its JSON", () => {
  const random = seededRandom(20_261_130);
  const text = () => random.pick(TEXTS) + random.pick(TEXTS);
  const part = (depth: number): unknown => {
    const kind = random.below(depth > 4 ? 2 : 4);
    if (kind === 0) return random.pick(SCALARS);
    if (kind === 1) return text();
    const items = Array.from({ length: random.below(4) }, () => part(depth + 1));
    return kind === 2 ? items : Object.fromEntries(items.map((item) => [text(), item]));
  };
  const values = Array.from({ length: 20_000 }, () => [part(0)]);
  const bounds = { maxBytes: 1_000_000, maxDepth: 20 };
  expect(values.filter((value) => measureJson(value, bounds) !== Buffer.byteLength(JSON.stringify(value)))).toEqual([]);
});

test("a value that is passed on has the same size and depth when its parts are known", () => {
  const known = newKnownSizes();
  const bounds = { maxBytes: 1_000_000, maxDepth: 5, known };
  const large = { texts: [["ä".repeat(10_000)]] };
  const [first, again] = [{ value: large }, { a: 1, value: large }].map((value) => [
    measureJson(value, bounds),
    measureJson(value, bounds),
    Buffer.byteLength(JSON.stringify(value)),
  ]);
  expect(first).toEqual([20_026, 20_026, 20_026]);
  expect(again).toEqual([20_032, 20_032, 20_032]);
  expect(known.objects.has(large)).toBe(true);
  expect(known.repeatedBytes).toBeGreaterThanOrEqual(60_000);
  expect(measureJson([[large]], bounds)).toBe(20_020);
  expect(measureJson([[[large]]], bounds)).toBe("too_deep");
  expect(measureJson([large, large], { ...bounds, maxBytes: 40_000 })).toBe("too_large");
});

test("size is the exact number of bytes of the UTF-8 JSON", () => {
  for (const value of [{ a: "x" }, ["ж", "\u0000", 1.5, null, true], { ключ: { deep: [[], {}, -1e-7] } }, "😀"]) {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    expect(exceedsJsonBytes(value, bytes)).toBe(false);
    expect(exceedsJsonBytes(value, bytes - 1)).toBe(true);
  }
});

test("a large value repeated by reference is refused without being counted to its end", () => {
  const large = "x".repeat(1_000_000);
  const row = Array.from({ length: 1_000 }, () => large);
  expect(
    exceedsJsonBytes(
      Array.from({ length: 1_000 }, () => row),
      1_048_576,
    ),
  ).toBe(true);
});

test("a value is measured once, against its size and its depth", () => {
  const bounds = { maxBytes: 20, maxDepth: 2 };
  expect(measureJson({ a: "ä😀" }, bounds)).toBe(14);
  expect(measureJson([[]], bounds)).toBe(4);
  expect(measureJson([[[]]], bounds)).toBe("too_deep");
  expect(measureJson({ a: { b: { c: 1 } } }, bounds)).toBe("too_deep");
  expect(measureJson("x".repeat(18), bounds)).toBe(20);
  expect(measureJson("x".repeat(19), bounds)).toBe("too_large");
  expect(measureJson("ä".repeat(10), bounds)).toBe("too_large");
  expect(measureJson(undefined, bounds)).toBe(4);
});
