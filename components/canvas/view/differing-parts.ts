/** A text cut where it differs from another: what both begin with, what is only here, what both end with. */
export interface TextParts {
  before: string;
  differing: string;
  after: string;
}

/** Of a long text, what is read on either side of what differs. */
const CONTEXT_CHARACTERS = 400;
const DIFFERING_CHARACTERS = 2_000;
const SHORT_CHARACTERS = 2_000;

/** Two texts, cut between words where they part and where they meet again; long ones only around that. */
export function differingParts(was: string, now: string): { was: TextParts; now: TextParts } {
  const most = Math.min(was.length, now.length);
  let start = 0;
  while (start < most && was[start] === now[start]) start += 1;
  while (start > 0 && (isInWord(was, start) || isInWord(now, start))) start -= 1;
  let end = 0;
  while (end < most - start && was[was.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  while (end > 0 && (isInWord(was, was.length - end) || isInWord(now, now.length - end))) end -= 1;
  return { was: cut(was, start, end), now: cut(now, start, end) };
}

/** Cutting between two characters that are no space would tear a word, or half of a character. */
function isInWord(text: string, at: number): boolean {
  return /^\S\S$/.test(text.slice(at - 1, at + 1));
}

function cut(text: string, start: number, end: number): TextParts {
  const before = text.slice(0, start);
  const differing = text.slice(start, text.length - end);
  const after = text.slice(text.length - end);
  if (text.length <= SHORT_CHARACTERS) return { before, differing, after };
  return {
    before: before.length > CONTEXT_CHARACTERS ? `…${before.slice(-CONTEXT_CHARACTERS)}` : before,
    differing: shorten(differing, DIFFERING_CHARACTERS),
    after: shorten(after, CONTEXT_CHARACTERS),
  };
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
