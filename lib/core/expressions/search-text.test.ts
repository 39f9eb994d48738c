import { expect, test, vi } from "vitest";
import { containsText } from "#lib/core/expressions/search-text";
import { seededRandom } from "#lib/support/seeded-random.fixture";

test("two hostile texts are searched in linear time, without the engine's quadratic search", () => {
  const includes = vi.spyOn(String.prototype, "includes");
  const half = "a".repeat(250_000);
  expect(containsText("a".repeat(1_000_000), `${half}b${half}`)).toBe(false);
  expect(containsText(`${half}${half}b${half}`, `${half}b${half}`)).toBe(true);
  expect(includes).not.toHaveBeenCalled();
  includes.mockRestore();
});

test("the linear search finds the same as the engine's", () => {
  const random = seededRandom(7);
  const letters = (length: number) => Array.from({ length }, () => (random.next() < 0.9 ? "a" : "b")).join("");
  for (let round = 0; round < 20; round += 1) {
    const text = letters(30_000);
    const at = random.below(20_000);
    const part = random.next() < 0.5 ? text.slice(at, at + 9_000) : letters(4_000);
    expect(containsText(text, part)).toBe(text.includes(part));
  }
});

test("a part that is longer than the text is not contained", () => {
  expect(containsText("ab", "abc")).toBe(false);
  expect(containsText("", "")).toBe(true);
});
