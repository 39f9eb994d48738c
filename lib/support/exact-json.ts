import { isJsonObject, setOwn } from "#lib/support/json";
import { compareDecimals } from "#lib/support/numbers/decimal";

/** The characters that separate the parts of a JSON text (RFC 8259, 2), as `charCodeAt` returns them. */
export const QUOTE = 34;
export const COMMA = 44;
export const COLON = 58;
export const OPEN_ARRAY = 91;
export const CLOSE_ARRAY = 93;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;

const BACKSLASH = 92;

/**
 * Returns the place of the quote that ends a string of a JSON text; its length or more if none does.
 * @param start the place of the quote that opens the string
 */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at += 1;
  }
  return at;
}

/** The place of a value in a JSON text: names of fields, and positions in lists. */
export type PathInJson = readonly (string | number)[];

/** Takes the place and the digits of a number that became a text, because it would lose digits. */
export type NoteLongNumber = (path: PathInJson, digits: string) => void;

/**
 * The largest double is below 1e309, the smallest above 1e-324, and a mantissa that needs fewer digits of an exponent is a
 * long run itself.
 */
const LONG_EXPONENT = /\d[eE][+-]?\d{3}/;
/** Every decimal of 15 digits survives in a double. */
const LONG_RUN = 16;
const NUMBER = /-?\d[\d.]*(?:[eE][+-]?\d+)?/y;
const LARGEST_DIGITS = String(Number.MAX_SAFE_INTEGER);

const MINUS = 45;
const POINT = 46;

/** A text that JSON from outside cannot contain by chance, in front of the digits of a number. */
const MARK = `number ${Math.random().toString(36).slice(2)} `;

/**
 * Returns true if a number, as JSON or a person writes it, loses digits in a double: an integer beyond ±(2^53 - 1), where RFC 8259,
 * section 6, ends what all readers agree on, a larger number that a double would change, one beyond the largest double, or
 * one so small that a double has 0 for it. Fractions keep the precision of a double: 0.1 is no loss.
 */
export function losesDigits(token: string): boolean {
  const digits = token.replace(/^[+-]?0*(?=\d)/, "");
  if (/^\d+$/.test(digits)) {
    if (digits.length !== LARGEST_DIGITS.length) return digits.length > LARGEST_DIGITS.length;
    return digits > LARGEST_DIGITS;
  }
  const number = Number(token);
  if (!Number.isFinite(number)) return true;
  if (number === 0) return /^[^eE]*[1-9]/.test(token);
  return Math.abs(number) > Number.MAX_SAFE_INTEGER && compareDecimals(token, String(number)) !== 0;
}

/** Returns true for 1e400, which a parser reads as Infinity. */
function isOverflow(token: string): boolean {
  return /[eE]/.test(token) && !Number.isFinite(Number(token));
}

/**
 * Parses JSON that someone else sends. A number that would lose digits becomes a text with its digits, as an id is used.
 * @param onKept called with the place of each such number
 * @param leavesOverflow true if 1e400 is Infinity, as JSON.parse reads it, because the reader refuses it
 * @throws SyntaxError if it is not JSON
 */
export function parseKeepingDigits(
  text: string,
  onKept?: NoteLongNumber,
  { leavesOverflow = false }: { leavesOverflow?: boolean } = {},
): unknown {
  const marked = markLongNumbers(text, leavesOverflow);
  if (marked === null) return JSON.parse(text);
  const keep = (digits: string, path: PathInJson) => {
    onKept?.([...path], digits);
    return digits;
  };
  return unmark(JSON.parse(marked), [], keep);
}

/**
 * Parses JSON that is validated. A number that would lose digits becomes NaN, which no JSON number is, so that a validation
 * refuses it with its place. 1e400 is Infinity.
 * @throws SyntaxError if it is not JSON
 */
export function parseMarkingDigits(text: string): unknown {
  const marked = markLongNumbers(text, true);
  return marked === null ? JSON.parse(text) : unmark(JSON.parse(marked), [], () => Number.NaN);
}

/** @returns null if the text has no number that would lose digits */
function markLongNumbers(text: string, leavesOverflow: boolean): string | null {
  if (!hasLongRun(text) && !LONG_EXPONENT.test(text)) return null;
  const parts: string[] = [];
  let done = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if ((code >= 48 && code <= 57) || code === MINUS) {
      NUMBER.lastIndex = at;
      const token = NUMBER.exec(text)?.[0];
      if (token === undefined) continue;
      const isLong = isNumber(token) && isAlone(text, at, token.length) && losesDigits(token);
      if (isLong && !(leavesOverflow && isOverflow(token))) {
        parts.push(text.slice(done, at), JSON.stringify(MARK + token));
        done = at + token.length;
      }
      at += token.length - 1;
    }
  }
  return done === 0 ? null : parts.join("") + text.slice(done);
}

/**
 * Returns true if 16 digits or points follow each other, as most texts have not. Every run of 16 has a place that is looked
 * at, so the search takes 0.1 ms per MiB, where a regular expression takes longer than parsing.
 */
function hasLongRun(text: string): boolean {
  for (let at = LONG_RUN - 1; at < text.length; at += LONG_RUN) {
    if (!isDigitOrPoint(text, at)) continue;
    let start = at;
    while (isDigitOrPoint(text, start - 1)) start -= 1;
    let end = at + 1;
    while (isDigitOrPoint(text, end)) end += 1;
    if (end - start >= LONG_RUN) return true;
  }
  return false;
}

function isDigitOrPoint(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 48 && code <= 57) || code === POINT;
}

/** What JSON does not allow, such as --1, 007 or 1.2.3, stays in the text, so that parsing reports it. */
function isAlone(text: string, at: number, length: number): boolean {
  return /^[[:,\s]?$/.test(text.charAt(at - 1)) && /^[\]},\s]?$/.test(text.charAt(at + length));
}

function isNumber(token: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(token);
}

function unmark(
  value: unknown,
  path: (string | number)[],
  read: (digits: string, path: PathInJson) => unknown,
): unknown {
  if (typeof value === "string") return value.startsWith(MARK) ? read(value.slice(MARK.length), path) : value;
  if (typeof value !== "object" || value === null) return value;
  const inside = (key: string | number, item: unknown) => {
    path.push(key);
    const known = unmark(item, path, read);
    path.pop();
    return known;
  };
  if (Array.isArray(value)) return value.map((item, index) => inside(index, item));
  if (!isJsonObject(value)) return value;
  for (const key of Object.keys(value)) {
    const item = value[key];
    const known = inside(key, item);
    if (known !== item) setOwn(value, key, known);
  }
  return value;
}

const SPACE = 32;

/**
 * Finds a name that one object of a JSON text has twice: readers disagree on which value counts (RFC 8259, section 4), so
 * I-JSON does not allow it (RFC 7493, 2.3). JSON.parse keeps the last one. Names are compared as they are read: "a" and
 * "\u0061" are equal. Counting the names takes 2 to 6 ms of CPU time per MiB, the most for many small objects; only a text that
 * has such a name is read again.
 * @param text valid JSON
 * @param parsed what JSON.parse makes of it
 * @returns the path of the first such name, or null
 */
export function findRepeatedName(text: string, parsed: unknown): PathInJson | null {
  return countWritten(text) === countKept(parsed) ? null : locateRepeated(text);
}

/** Every colon outside of a string follows a name. */
function countWritten(text: string): number {
  let names = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COLON) names += 1;
    else if (code === QUOTE) at = endOfString(text, at);
  }
  return names;
}

function countKept(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let names = 0;
  if (Array.isArray(value)) {
    for (const item of value) names += countKept(item);
    return names;
  }
  for (const name in value) names += 1 + countKept(Reflect.get(value, name));
  return names;
}

interface Level {
  /** The names so far; null in a list. */
  names: Set<string> | null;
  /** The name or the position that is being read. */
  at: string | number;
}

function locateRepeated(text: string): PathInJson | null {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const level = levels.at(-1);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const name = level?.names && isName(text, end) ? String(JSON.parse(text.slice(at, end + 1))) : null;
      at = end;
      if (level?.names && name !== null) {
        level.at = name;
        if (level.names.has(name)) return levels.map((one) => one.at);
        level.names.add(name);
      }
    } else if (code === OPEN_OBJECT) levels.push({ names: new Set(), at: "" });
    else if (code === OPEN_ARRAY) levels.push({ names: null, at: 0 });
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) levels.pop();
    else if (code === COMMA && typeof level?.at === "number") level.at += 1;
  }
  return null;
}

/** A string before a colon is a name. */
function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return text.charCodeAt(at) === COLON;
}
