import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { readConsole } from "#lib/platform/sandbox/call-sandbox";

const bytesOf = (lines: readonly string[]) => Buffer.byteLength(JSON.stringify(lines));

test("lines are read as they were written", () => {
  expect(readConsole('["a","b\\n"]')).toEqual(["a", "b\n"]);
});

test.each([
  ["text that is no JSON", "not JSON"],
  ["JSON that is no list", '{"length":5}'],
  ["a text of a million characters", JSON.stringify(["x".repeat(1_000_000)])],
])("a process that answers %s leaves no console", (_, json) => {
  expect(readConsole(json)).toEqual([]);
});

test.each([
  ["thousands of lines", Array(5_000).fill("")],
  ["long lines", Array(60).fill("x".repeat(3_000))],
  ["lines in which a character takes three bytes", Array(30).fill("€".repeat(2_000))],
])(
  "a process that answers with %s, as if code had escaped the interpreter, gets no more than the limits",
  (_, lines) => {
    const kept = readConsole(JSON.stringify(lines));
    expect(kept.length).toBeLessThanOrEqual(LIMITS.consoleLines + 1);
    expect(bytesOf(kept)).toBeLessThanOrEqual(LIMITS.consoleBytes + 100);
    expect(Math.max(...kept.map((line) => line.length))).toBeLessThanOrEqual(LIMITS.consoleLineCharacters + 1);
  },
);

test("values in the list that are no text are left out", () => {
  expect(readConsole('["a",5,null,{"b":1}]')).toEqual(["a"]);
});
