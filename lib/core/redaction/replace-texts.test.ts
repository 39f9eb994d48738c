import { expect, test } from "vitest";
import { createReplacer, type Needle } from "#lib/core/redaction/replace-texts";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const whole = (text: string): Needle => ({ text, length: text.length });

test("occurrences that overlap or touch are replaced together, and context stays", () => {
  const replace = createReplacer([whole("abab"), whole("ba"), { text: "key=1", length: 1 }], "*");
  expect(replace("x abab y ababab ba key=1 1")).toBe("x * y * * key=* 1");
  expect(replace("nothing")).toBe("nothing");
});

/** Marks every character that belongs to an occurrence, by trying each place. */
function replaceSlowly(text: string, needles: readonly Needle[]): string {
  const isFound = [...text].map(() => false);
  for (const needle of needles) {
    for (let at = text.indexOf(needle.text); at !== -1; at = text.indexOf(needle.text, at + 1)) {
      const end = at + needle.text.length;
      isFound.fill(true, end - needle.length, end);
    }
  }
  return [...text].map((character, at) => (isFound[at] ? (isFound[at - 1] ? "" : "*") : character)).join("");
}

test("every occurrence is found, as by trying each place", () => {
  const random = seededRandom(7);
  const letters = (length: number) => Array.from({ length }, () => "abc"[random.below(3)]).join("");
  for (let round = 0; round < 3_000; round += 1) {
    const needles = Array.from({ length: 1 + random.below(5) }, () => {
      const text = letters(1 + random.below(5));
      return { text, length: 1 + random.below(text.length) };
    });
    const text = letters(random.below(40));
    expect(createReplacer(needles, "*")(text), JSON.stringify({ needles, text })).toBe(replaceSlowly(text, needles));
  }
});
