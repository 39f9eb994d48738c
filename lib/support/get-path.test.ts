import { expect, test } from "vitest";
import { getPath } from "#lib/support/get-path";

const value = JSON.parse('{"a":{"b":[{"c":1},{"c":null}]},"":{"x":2},"__proto__":{"admin":true},"0":"zero","n":null}');

test("a path leads through objects and arrays", () => {
  expect(getPath(value, ["a", "b", 0, "c"])).toBe(1);
  expect(getPath(value, ["a", "b", "0", "c"])).toBe(1);
  expect(getPath(value, ["", "x"])).toBe(2);
  expect(getPath(value, [0])).toBe("zero");
  expect(getPath(value, [])).toBe(value);
});

test("a path that does not exist is null", () => {
  for (const path of [["x"], ["a", "x", "y"], ["a", "b", 2], ["a", "b", -1], ["a", "b", "01"], ["n", "x"]]) {
    expect(getPath(value, path)).toBeNull();
  }
  for (const root of [null, undefined, 1, "text", true]) expect(getPath(root, ["length"])).toBeNull();
});

test("inherited properties cannot be read", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "length", "prototype"];
  for (const name of names) {
    expect(getPath(value, [name])).toBeNull();
    expect(getPath(value, ["a", "b", name])).toBeNull();
    expect(getPath({ list: [], text: "x", of: () => 1 }, ["text", name])).toBeNull();
  }
  expect(getPath({ constructor: "Ferrari" }, ["constructor"])).toBe("Ferrari");
});
