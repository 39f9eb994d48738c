import { LIMITS } from "#lib/contract/limits";
import { type Cursor, skipSpace, take, takeText } from "#lib/core/expressions/text-cursor";

/** Letters of any script, digits, `_`, `$` and `-`. Header names need the hyphen, and there is no subtraction. */
const FIELD = /[\p{L}\p{N}\p{M}_$-]{1,200}/uy;
const INDEX = /\d{1,9}/y;
const KEY = /"((?:[^"\\]|\\.){0,200})"|'((?:[^'\\]|\\.){0,200})'/sy;

/** A path, and the position after its last segment. */
interface Path {
  keys: (string | number)[];
  end: number;
}

/** Reads `.field`, `[0]` and `["key"]` until something else follows, or returns a text that explains the error. */
export function takePath(cursor: Cursor): Path | string {
  const path: Path = { keys: [], end: cursor.at };
  for (;;) {
    const segment = takeSegment(cursor);
    if (segment === null) return path;
    if ("problem" in segment) return segment.problem;
    if (path.keys.length === LIMITS.jsonDepth) return `a path has at most ${LIMITS.jsonDepth} parts`;
    path.keys.push(segment.key);
    path.end = cursor.at;
  }
}

const NO_INDEX = 'a number or a "key" in quotes must follow [';

/** Says what is possible instead of the sign after `[`. */
function describeIndex(sign: string): string {
  if (sign === "*" || sign === "]") return `${NO_INDEX}; read a field of every item in a Transform step with JSONata`;
  return sign === "-" ? `${NO_INDEX}; items are counted from 0, and the last one is last(list)` : NO_INDEX;
}

/** Returns null if no segment follows. */
function takeSegment(cursor: Cursor): { key: string | number } | { problem: string } | null {
  if (takeText(cursor, ".")) {
    skipSpace(cursor);
    const field = take(cursor, FIELD);
    return field ? { key: field[0] } : { problem: "a field name must follow the dot" };
  }
  if (!takeText(cursor, "[")) return null;
  skipSpace(cursor);
  const index = take(cursor, INDEX);
  const key = index ? null : take(cursor, KEY);
  if (!index && !key) return { problem: describeIndex(cursor.text[cursor.at] ?? "") };
  if (!takeText(cursor, "]")) return { problem: "] is missing" };
  return { key: index ? Number(index[0]) : (key?.[1] ?? key?.[2] ?? "").replace(/\\(.)/gs, "$1") };
}
