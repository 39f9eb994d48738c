import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { collectPaths, eventInput, noteTexts } from "#lib/core/input/numbers-as-text";

function placesIn(value: unknown, ...digits: string[]): unknown[] {
  const found: unknown[] = [];
  noteTexts(value, new Set(digits), (path, text) => found.push([text, ...path]));
  return found;
}

test("the texts that were numbers are found at any depth, and no other text", () => {
  const value = {
    id: "8202522731445525542",
    list: [{ "a b": "-9007199254740993" }, "7"],
    note: "id 8202522731445525542",
  };
  expect(placesIn(value, "8202522731445525542", "-9007199254740993")).toEqual([
    ["8202522731445525542", "id"],
    ["-9007199254740993", "list", 0, "a b"],
  ]);
  expect(placesIn(value)).toEqual([]);
  expect(placesIn("9007199254740993", "9007199254740993")).toEqual([["9007199254740993"]]);
});

test("an event without such numbers is only its output", () => {
  expect(eventInput({ body: 1 }, [])).toEqual({ output: { body: 1 } });
  expect(Object.keys(eventInput({}, ["trigger.output.body"]))).toEqual(["numbers_as_text", "output"]);
});

test("a thousand such numbers are named by the first ones", () => {
  const { paths, note } = collectPaths("trigger.output.body");
  for (let index = 0; index < 1_000; index += 1) note(["ids", index], "1");
  expect(paths).toHaveLength(LIMITS.stepWarnings);
  expect(paths[0]).toBe("trigger.output.body.ids[0]");
});
