import { expect, test } from "vitest";
import { canonicalJson, exceedsJsonBytes, exceedsJsonDepth, measureJson, setOwn } from "#lib/support/json";

function nested(levels: number): unknown {
  let value: unknown = "leaf";
  for (let level = 0; level < levels; level += 1) value = level % 2 ? { a: value } : [value];
  return value;
}

test("depth counts objects and arrays, and a hostile depth does not overflow the stack", () => {
  expect(exceedsJsonDepth("text", 0)).toBe(false);
  expect(exceedsJsonDepth({}, 0)).toBe(true);
  expect(exceedsJsonDepth(nested(32), 32)).toBe(false);
  expect(exceedsJsonDepth(nested(33), 32)).toBe(true);
  expect(exceedsJsonDepth(nested(200_000), 32)).toBe(true);
});

test("size is the exact number of bytes of the UTF-8 JSON", () => {
  for (const value of [{ a: "x" }, ["ж", "\u0000", 1.5, null, true], { ключ: { deep: [[], {}, -1e-7] } }, "😀"]) {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    expect(exceedsJsonBytes(value, bytes)).toBe(false);
    expect(exceedsJsonBytes(value, bytes - 1)).toBe(true);
  }
});

test("a large value repeated by reference is refused without being serialized", () => {
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

test("canonical JSON does not depend on the order of keys", () => {
  expect(canonicalJson({ b: 1, a: [{ d: null, c: "x" }] })).toBe('{"a":[{"c":"x","d":null}],"b":1}');
  expect(canonicalJson({ a: 1, b: undefined })).toBe(canonicalJson({ a: 1 }));
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  expect(JSON.parse(canonicalJson(JSON.parse('{"__proto__":{"x":1}}')))).toEqual(JSON.parse('{"__proto__":{"x":1}}'));
});

test("setting __proto__ sets a key and not the prototype", () => {
  const target: Record<string, unknown> = {};
  setOwn(target, "__proto__", { admin: true });
  setOwn(target, "a", 1);
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  expect(Object.keys(target)).toEqual(["__proto__", "a"]);
});
