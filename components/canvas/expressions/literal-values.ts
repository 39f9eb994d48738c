import type { PropertyType } from "#lib/contract/wire/json-schema";
import { readTypedJson } from "#lib/core/input/read-typed-json";
import { readNumber } from "#lib/support/numbers/read-number";

/**
 * Returns the value that a text represents in a field of this type, or undefined for an empty text. A text that doesn't
 * represent such a value stays a text: nothing typed is lost, and validation reports the problem.
 */
export function parseLiteral(type: PropertyType, text: string): unknown {
  if (type === "string") return text === "" ? undefined : text;
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (type === "number" || type === "integer") {
    return readNumber(trimmed) ?? text;
  }
  return readJson(text);
}

/** A text that isn't JSON, or has a number that would be changed, stays a text. */
function readJson(text: string): unknown {
  const { value, problem } = readTypedJson(text.trim());
  return problem === null ? value : text;
}

/** Returns the text that a field shows for a value. */
export function printLiteral(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Reads one value per line, for `enum`; undefined for an empty list. */
export function parseLiteralLines(type: PropertyType, text: string): unknown[] | undefined {
  const values = text
    .split("\n")
    .map((line) => parseLiteral(type, line.trim()))
    .filter((value) => value !== undefined);
  return values.length === 0 ? undefined : values;
}

export function printLiteralLines(values: unknown): string {
  return Array.isArray(values) ? values.map(printLiteral).join("\n") : "";
}

/** Reads the body of a request: JSON if it parses as an object or an array, otherwise the text itself. */
export function parseBody(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return /^[[{]/.test(trimmed) ? readJson(text) : text;
}

export function printBody(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/**
 * Returns the same JSON with bare expressions put in quotes: people write `{"a": {{x.y}}}`, and `{"a": "{{x.y}}"}`
 * keeps the type of x.y. Null when the result is still not JSON.
 */
export function quoteBareExpressions(text: string): string | null {
  const quoted = text.replace(/([:[,]\s*)(\{\{[^{}]*\}\})(?=\s*[,}\]])/g, '$1"$2"');
  if (quoted === text) return null;
  try {
    JSON.parse(quoted);
    return quoted;
  } catch {
    return null;
  }
}
