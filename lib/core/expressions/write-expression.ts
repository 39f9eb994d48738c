/** Matches field names that work after a dot; other names need brackets and quotes (decisions, The graph document). */
const PLAIN_FIELD = /^[\p{L}\p{N}\p{M}_$-]{1,200}$/u;
/** The longest key in quotes that an expression accepts. */
const QUOTED_KEY_MAX = 200;

/** Writes the expression that reads a path of a step's output: `{{order.lines[0]["unit price"]}}`. */
export function writeExpression(name: string, path: readonly (string | number)[]): string {
  return `{{${writePath(name, path)}}}`;
}

/** Writes a path without braces, as an argument of a function or an operand. */
export function writePath(name: string, path: readonly (string | number)[]): string {
  return name + path.map(writeSegment).join("");
}

/** Returns false for a key that no expression can read: it is too long, or JSON reserves it. */
export function canWriteKey(key: string | number): boolean {
  if (typeof key === "number") return key <= 999_999_999;
  return key !== "__proto__" && (key.length <= QUOTED_KEY_MAX || PLAIN_FIELD.test(key));
}

/** In quotes, an expression takes every character after a backslash as it is, so JSON's `\n` would read the letter n. */
function writeSegment(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return PLAIN_FIELD.test(key) ? `.${key}` : `["${key.replaceAll(/["\\]/g, "\\$&")}"]`;
}
