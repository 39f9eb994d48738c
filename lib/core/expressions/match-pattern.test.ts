import { RE2JS } from "re2js";
import { expect, test, vi } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { compilePattern, matchPattern, patternBudget, patternSize } from "#lib/core/expressions/match-pattern";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const ATOMS = ["a", ".", "\\d", "\\pL", "[a-z]", "[^\\d\\pN]", "\\b", "^", "$", "\\Qa+b\\E", "é", "{", "\\x{1F600}"];
const CLASSES = ["\\x41", "[]a]", "[[:alpha:]]", "|", "|"];
const GROUPS = ["(", "(?:", "(?i:", "(?s)("];
const REPETITIONS = ["", "", "", "*", "+", "?", "{3}", "{2,5}", "{2,}", "{0,4}", "{0}", "*?", "{12}"];

test("the size of a pattern is never below the number of instructions that it compiles to", () => {
  const random = seededRandom(14);
  const write = (depth: number): string =>
    Array.from({ length: 1 + random.below(5) }, () => {
      const atom =
        depth > 0 && random.next() < 0.3
          ? `${random.pick(GROUPS)}${write(depth - 1)})`
          : random.pick([...ATOMS, ...CLASSES]);
      return atom === "|" ? atom : atom + random.pick(REPETITIONS);
    }).join("");
  let compared = 0;
  for (let round = 0; round < 2_000; round += 1) {
    const pattern = write(3);
    const size = patternSize(pattern, LIMITS.patternSize);
    if (size > LIMITS.patternSize) continue;
    expect(size, pattern).toBeGreaterThanOrEqual(RE2JS.compile(pattern).programSize());
    compared += 1;
  }
  expect(compared).toBeGreaterThan(1_500);
});

test.each([
  "(a{1000}){1000}",
  "((a{100}){100}){100}",
  "(?:x+x+){1000}y",
  "(?P<name>\\w{1,1000}){4}",
  "[a-z]{1000}[a-z]{1000}[a-z]{1000}[a-z]{1000}",
  "\\pL".repeat(200),
])("the pattern %s is refused before it is compiled", (pattern) => {
  const compile = vi.spyOn(RE2JS, "compile");
  expect(() => compilePattern(pattern)).toThrow("unfolds to more than 3,000 parts. Lower its counted repetitions");
  expect(compile).not.toHaveBeenCalled();
  compile.mockRestore();
});

test.each(["^[\\w.+-]{1,64}@[\\w-]{1,255}\\.[a-z]{2,}$", "^\\p{L}{1,100}$", "^.{0,1000}$", "(\\d{3}-){100}"])(
  "the ordinary pattern %s is allowed",
  (pattern) => {
    expect(() => compilePattern(pattern)).not.toThrow();
  },
);

test("the patterns of one step share a budget", () => {
  const budget = patternBudget();
  const text = "a".repeat(50_000);
  matchPattern("(?:a?){20}b", text, budget);
  expect(() => {
    for (let rule = 0; rule < 10; rule += 1) matchPattern("(?:a?){20}c", text, budget);
  }).toThrow("pattern size times text length can be at most 5,000,000 in a step");
});
