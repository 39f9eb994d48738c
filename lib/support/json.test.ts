import { expect, test } from "vitest";
import { canonicalJson, exceedsJsonDepth, setOwn } from "#lib/support/json";

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
