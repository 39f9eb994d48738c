import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listProse, type Passage } from "#lib/read-prose.fixture";

/** Words that make English read translated, and what to write instead. */
const FORBIDDEN: readonly { pattern: RegExp; write: string; example: string }[] = [
  { pattern: /\banew\b|\bonce more\b/i, write: "again", example: "starts anew" },
  { pattern: /\b(stands?|stood)\b(?! (by|for|in)\b|-)/i, write: "is, is shown, lives in", example: "stands here" },
  {
    pattern: /\bwhoever\b|(?<!\b(by|for|from|of|to|with) )\bwhom\b|^Whose\b/i,
    write: "the user who, anyone who",
    example: "whoever calls",
  },
  { pattern: /\b(no|some|every)bod(y|ies)\b/i, write: "no one, someone, or the role", example: "nobody decides" },
  { pattern: /(?<!--)\b(begins?|began|begun|beginnings?)\b/i, write: "start", example: "a run begins" },
  { pattern: /\b(go|goes|going|went|gone) (on|wrong)\b/i, write: "continue, fail", example: "the run goes on" },
  { pattern: /\bwhat of it\b|\bso many\b|\bat the most\b/i, write: "the thing, at most", example: "ten at the most" },
  {
    pattern: /\b(is|are|was|were|be|been|being|gets?) told\b|\btell(s|ing)?\b/i,
    write: "report, show",
    example: "is told",
  },
  { pattern: /\bhand(s|ed|ing)? on\b/i, write: "pass", example: "hands on the value" },
  { pattern: /\b(give|gives|gave|given|giving) back\b/i, write: "return", example: "gives back" },
  { pattern: /\b(take|takes|took|taken|taking) up\b(?! to\b)/i, write: "resume", example: "takes up the run" },
  { pattern: /\btold apart\b/i, write: "distinguished", example: "are told apart" },
  { pattern: /\bin vain\b|\bseldom\b|\bthereby\b/i, write: "without effect, rarely, so", example: "waits in vain" },
  { pattern: /\bbeside\b/i, write: "next to, in addition to", example: "beside the run" },
  { pattern: /\bway of a run\b|\bways? out\b/i, write: "execution flow, branch, output", example: "a way out" },
  { pattern: /\b(colour|licence|behaviour)/i, write: "color, license, behavior", example: "the colour" },
  { pattern: /\d %|\d'\d{3}\b/, write: "5%, 1,000", example: "5 %" },
];
const RIDDLE = /^(Who|What|Where)\b(?!.*\?$)/;
const DOCUMENTS = ["*.md", "{docs,examples}/**/*.md"];
/** Code in backticks, and the secret in the example of GitHub's webhook documentation. */
const QUOTED = /`[^`]*`|It's a Secret to Everybody/g;

describe("prose in code and documents", () => {
  const prose = listProse()
    .filter(({ path }) => path !== "lib/prose.test.ts")
    .map((passage) => ({ ...passage, text: passage.text.replace(QUOTED, "`code`") }));

  it.each(FORBIDDEN)("does not use $pattern (write: $write)", ({ pattern, example }) => {
    expect(example).toMatch(pattern);
    expect(prose.filter(({ text }) => pattern.test(text)).map(show)).toEqual([]);
  });

  it("is read from comments, strings, test names, JSX, and documents", () => {
    expect(new Set(prose.map(({ kind }) => kind))).toEqual(new Set(["comment", "document", "string", "test name"]));
  });
});

describe("headings of documents", () => {
  it("say what a reader would search for", () => {
    const headings = globSync(DOCUMENTS).flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => ({ path, text })),
    );
    expect(headings.filter(({ text }) => RIDDLE.test(text))).toEqual([]);
  });
});

function show({ path, line, text }: Passage): string {
  return `${path}:${line}: ${text}`;
}
