import type { PathInJson } from "#lib/support/exact-json";
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endOfString,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from "#lib/support/json-text/characters";

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
