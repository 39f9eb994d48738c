import { describe, expect, it } from "vitest";
import { storableJson } from "#lib/support/storable-json";

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
