import { LIMITS } from "#lib/contract/limits";

/** An expression `{{ name.field[0]["key"] }}`, which names the value that a template reads. */
interface Expression {
  name: string;
  path: (string | number)[];
  /** The source text of the expression, including its braces. */
  source: string;
}

/** A `{{` that does not start an expression. Publishing refuses it, and a draft keeps it as literal text. */
interface TemplateError {
  message: string;
  source: string;
}

interface Template {
  /** Literal texts and expressions in order, without empty texts or two texts in a row. */
  parts: readonly (string | Expression)[];
  errors: readonly TemplateError[];
}

const SPACE = /\s*/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]{0,63}(?![A-Za-z0-9_])/y;
/** Letters of any script, digits, `_`, `$`, and `-`. Header names need the hyphen, and there is no subtraction. */
const FIELD = /[\p{L}\p{N}\p{M}_$-]{1,200}/uy;
const INDEX = /\d{1,9}/y;
const KEY = /"((?:[^"\\]|\\.){0,200})"|'((?:[^'\\]|\\.){0,200})'/sy;

const MAX_ERRORS = 20;
const SOURCE_LENGTH = 60;

interface Cursor {
  text: string;
  at: number;
}

/** Moves the cursor past the match of a sticky pattern, or leaves it unchanged if nothing matches. */
function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const match = pattern.exec(cursor.text);
  if (match) cursor.at = pattern.lastIndex;
  return match;
}

function takeText(cursor: Cursor, text: string): boolean {
  take(cursor, SPACE);
  if (!cursor.text.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}

/** Reads `.field`, `[0]`, or `["key"]`. Returns null if none of them follows, or a text that explains the error. */
function takeSegment(cursor: Cursor): { key: string | number } | { problem: string } | null {
  if (takeText(cursor, ".")) {
    take(cursor, SPACE);
    const field = take(cursor, FIELD);
    return field ? { key: field[0] } : { problem: "a field name must follow the dot" };
  }
  if (!takeText(cursor, "[")) return null;
  take(cursor, SPACE);
  const index = take(cursor, INDEX);
  const key = index ? null : take(cursor, KEY);
  if (!index && !key) return { problem: 'a number or a "key" in quotes must follow [' };
  if (!takeText(cursor, "]")) return { problem: "] is missing" };
  return { key: index ? Number(index[0]) : (key?.[1] ?? key?.[2] ?? "").replace(/\\(.)/gs, "$1") };
}

/** Reads an expression after `{{`. The cursor ends after `}}`, or at the error. */
function takeExpression(cursor: Cursor): { name: string; path: (string | number)[] } | { problem: string } {
  take(cursor, SPACE);
  const name = take(cursor, NAME)?.[0];
  if (name === undefined) return { problem: "the id of a node must follow {{" };
  const path: (string | number)[] = [];
  for (;;) {
    const segment = takeSegment(cursor);
    if (!segment) break;
    if ("problem" in segment) return segment;
    if (path.length === LIMITS.jsonDepth) return { problem: `a path has at most ${LIMITS.jsonDepth} parts` };
    path.push(segment.key);
  }
  return takeText(cursor, "}}") ? { name, path } : { problem: "}} must follow the path" };
}

/** Returns the part of a broken expression to show to people: the text up to its braces, or its first characters. */
function excerpt(text: string, from: number): string {
  const shown = text.slice(from, from + SOURCE_LENGTH);
  const close = shown.indexOf("}}");
  if (close !== -1) return shown.slice(0, close + 2);
  return from + SOURCE_LENGTH < text.length ? `${shown}…` : shown;
}

/**
 * Scans templates the way Signalbox did when an expression was a single path, before expressions had functions.
 * Definitions from that time must keep their meaning.
 */
export function scanPaths(text: string): Template {
  const parts: (string | Expression)[] = [];
  const errors: TemplateError[] = [];
  const cursor: Cursor = { text, at: 0 };
  let literal = "";
  let kept = 0;
  for (let open = text.indexOf("{{"); open !== -1; open = text.indexOf("{{", cursor.at)) {
    if (open > kept && text[open - 1] === "\\") {
      literal += `${text.slice(kept, open - 1)}{{`;
      kept = cursor.at = open + 2;
      continue;
    }
    cursor.at = open + 2;
    if (text[cursor.at] === "{") {
      cursor.at = open + 1;
      continue;
    }
    const result = takeExpression(cursor);
    if ("problem" in result) {
      if (errors.length < MAX_ERRORS) errors.push({ message: result.problem, source: excerpt(text, open) });
      continue;
    }
    literal += text.slice(kept, open);
    if (literal !== "") parts.push(literal);
    literal = "";
    kept = cursor.at;
    parts.push({ ...result, source: text.slice(open, kept) });
  }
  literal += text.slice(kept);
  if (literal !== "") parts.push(literal);
  return { parts, errors };
}
