import { describe, expect, it, test } from "vitest";
import { canonicalJson, exceedsJsonDepth, setOwn, storableJson } from "#lib/support/json";

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

describe("storableJson", () => {
  it.each([
    ["a NUL", { a: "x\u0000y" }, '{"a":"x\\ufffdy"}'],
    ["a NUL in a key", { "\u0000": 1 }, '{"\\ufffd":1}'],
    ["a lone high surrogate", ["\ud800x"], '["\\ufffdx"]'],
    ["a lone low surrogate", ["\udfff"], '["\\ufffd"]'],
    ["a pair of surrogates, which is one character", ["😀"], '["😀"]'],
    ["a backslash before letters that look like an escape", ["\\u0000"], '["\\\\u0000"]'],
    ["two backslashes before a NUL", ["\\\u0000"], '["\\\\\\ufffd"]'],
    ["undefined", undefined, "null"],
  ])("%s", (_name, value, expected) => {
    expect(storableJson(value)).toBe(expected);
  });

  it("takes linear time on a megabyte of escapes", () => {
    const text = storableJson("\u0000\\".repeat(250_000));
    expect(JSON.parse(text)).toBe("\ufffd\\".repeat(250_000));
  });
});
