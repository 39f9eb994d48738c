/** A text split by comparison with another: the common start, the part that differs, and the common end. */
export interface TextParts {
  before: string;
  differing: string;
  after: string;
}

/** The maximum length of context on either side of the difference. */
const CONTEXT_CHARACTERS = 400;
const DIFFERING_CHARACTERS = 2_000;
const SHORT_CHARACTERS = 2_000;

/**
 * Splits two texts between words, at the start and end of their difference; shortens the common parts of long texts.
 */
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

/** Splitting between two non-space characters would break a word, or a character in half. */
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
