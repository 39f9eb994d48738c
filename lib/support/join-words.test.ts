import { expect, test } from "vitest";
import { joinWords } from "#lib/support/join-words";

test("a list reads like part of a sentence", () => {
  expect(joinWords([], "and")).toBe("");
  expect(joinWords(["one"], "and")).toBe("one");
  expect(joinWords(["one", "two"], "or")).toBe("one or two");
  expect(joinWords(["one", "two", "three"], "and")).toBe("one, two and three");
});
