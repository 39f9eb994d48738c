import type { PropertyType } from "#lib/contract/json-schema";

/**
 * The value a person means by a text in a field of this type. A text that spells no such value stays a text: nothing
 * typed is lost, and validation says what is wrong with it. Undefined for an empty text: no value at all.
 */
export function parseLiteral(type: PropertyType, text: string): unknown {
  if (type === "string") return text === "" ? undefined : text;
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (type === "number" || type === "integer") {
    const number = Number(trimmed);
    return Number.isFinite(number) ? number : text;
  }
  try {
    return JSON.parse(trimmed);
  } catch {
    return text;
  }
}

/** A value as the text of its field. */
export function printLiteral(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** One value a line, for `enum`; undefined for an empty list. */
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

/** The body of a request as the person wrote it: JSON where it reads as an object or a list, else the text itself. */
export function parseBody(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (!/^[[{]/.test(trimmed)) return text;
  try {
    return JSON.parse(trimmed);
  } catch {
    return text;
  }
}

export function printBody(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/**
 * Returns the same JSON with bare expressions put in quotes: `{"a": {{x.y}}}` is what people write, and
 * `{"a": "{{x.y}}"}` is what keeps the type of x.y. Null when that does not make it JSON.
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
