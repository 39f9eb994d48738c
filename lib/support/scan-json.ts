import { LIMITS } from "#lib/contract/limits";
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endOfString,
  type NoteLongNumber,
  OPEN_ARRAY,
  OPEN_OBJECT,
  parseKeepingDigits,
  QUOTE,
} from "#lib/support/exact-json";
import { formatNumber } from "#lib/support/format/format-number";

export interface JsonBounds {
  /** How many levels objects and arrays may be nested. */
  depth: number;
  /** How many values and names of values the text may contain. Each object and array is one, next to what it contains. */
  elements: number;
  /** How many different names. A repeated name costs a fraction of a new one. */
  names: number;
}

/**
 * What any JSON text from outside may contain. The depth leaves room for the envelope of a protocol; the content of the
 * envelope is checked against `LIMITS.jsonDepth` once its place is known.
 */
const OUTSIDE: JsonBounds = {
  depth: 2 * LIMITS.jsonDepth,
  elements: LIMITS.jsonElements,
  names: LIMITS.jsonNames,
};

/** Whether a text exceeds a bound, and which. */
export type JsonExcess = "depth" | "elements" | "names" | null;

/** A text that is shorter than this costs nothing to parse, however it is written, and is not scanned. */
export const SMALL = 4_096;

/**
 * Finds out whether a JSON text exceeds bounds before anything is built from it: 10 MiB of `[[],[],` would become
 * 3.5 million objects in 250 MB. One pass over the text takes about 3 ms per MiB, and a short text none. Text that is
 * not JSON gets an answer, too; parsing reports its error.
 */
export function findJsonExcess(text: string, bounds: JsonBounds = OUTSIDE): JsonExcess {
  const { depth: maxDepth, elements: maxElements, names: maxNames } = bounds;
  if (text.length < SMALL) return null;
  // `"a":0,` is the shortest member; a text that has no room for too many names is not searched for them.
  const names = text.length / 6 > maxNames ? countNames(maxNames) : null;
  let depth = 0;
  let elements = 1;
  let stringStart = 0;
  let stringEnd = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      stringStart = at;
      at = endOfString(text, at);
      stringEnd = at;
    } else if (code === COMMA || code === COLON) {
      elements += 1;
      if (elements > maxElements) return "elements";
      if (code === COLON && names?.exceeds(hashOf(text, stringStart, stringEnd))) return "names";
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      elements += 1;
      if (depth > maxDepth) return "depth";
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      depth -= 1;
      // Its first value was counted when it opened.
      if (text.charCodeAt(at - 1) === (code === CLOSE_ARRAY ? OPEN_ARRAY : OPEN_OBJECT)) elements -= 1;
    }
  }
  return elements > maxElements ? "elements" : null;
}

/** Counts different hashes, in a table that is never more than half full. */
function countNames(maxNames: number): { exceeds(hash: number): boolean } {
  const mask = 2 ** Math.ceil(Math.log2(2 * (maxNames + 1))) - 1;
  const table = new Int32Array(mask + 1);
  let count = 0;
  return {
    exceeds(hash) {
      let slot = hash & mask;
      while (table[slot] !== 0 && table[slot] !== hash) slot = (slot + 1) & mask;
      if (table[slot] === hash) return false;
      table[slot] = hash;
      count += 1;
      return count > maxNames;
    },
  };
}

/** Differs in every process, so that no one can choose names with equal hashes. */
const SEED = (Math.random() * 2 ** 32) | 0;

/** FNV-1a. 0 marks a free slot of the table. */
function hashOf(text: string, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash ^ (hash >>> 15) || 1;
}

/** Completes a sentence that starts with what the text is: "The body ...". */
export function describeJsonExcess(excess: Exclude<JsonExcess, null>): string {
  if (excess === "depth") return `is nested deeper than ${LIMITS.jsonDepth} levels.`;
  if (excess === "names") {
    return `contains more than ${formatNumber(LIMITS.jsonNames)} different names. Send a list of objects instead.`;
  }
  return `contains more than ${formatNumber(LIMITS.jsonElements)} values and names. Split it into smaller parts.`;
}

/**
 * Parses JSON text from outside, unless it exceeds the bounds. A number that would lose digits becomes a text with them.
 * @param onKept called with the place of each such number
 * @throws SyntaxError if it is not JSON or exceeds them
 */
export function parseBoundedJson(text: string, onKept?: NoteLongNumber): unknown {
  const excess = findJsonExcess(text);
  if (excess !== null) throw new SyntaxError(`The JSON ${describeJsonExcess(excess)}`);
  return parseKeepingDigits(text, onKept);
}
