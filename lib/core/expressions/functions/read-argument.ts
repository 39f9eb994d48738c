import { numberOf } from "#lib/core/expressions/compare-values";
import type { ArgumentKind } from "#lib/core/expressions/functions/expression-function";
import { losesDigits } from "#lib/support/exact-json";
import { joinWords } from "#lib/support/join-words";
import { isJsonObject } from "#lib/support/json";

const WORDS: Record<ArgumentKind, string> = {
  text: "a text",
  number: "a number",
  list: "a list",
  object: "an object",
};

/** Returns the value as a text, or null if it is a list or an object. */
export function textArgument(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/**
 * Returns the value as a number, or null if it is none and does not spell one. A text of more digits than a number has would
 * give another number, so it does not count.
 */
export function numberArgument(value: unknown): number | null {
  const number = numberOf(value);
  if (number === null || !Number.isFinite(number)) return null;
  return typeof value === "string" && losesDigits(value.trim()) ? null : number;
}

/** Decides whether a value is of one of the kinds; null accepts any value. */
export function fitsKinds(kinds: readonly ArgumentKind[] | null, value: unknown): boolean {
  return kinds === null || kinds.some((kind) => FITS[kind](value));
}

const FITS: Record<ArgumentKind, (value: unknown) => boolean> = {
  text: (value) => textArgument(value) !== null,
  number: (value) => numberArgument(value) !== null,
  list: Array.isArray,
  object: isJsonObject,
};

export function describeKinds(kinds: readonly ArgumentKind[] | null): string {
  return kinds === null
    ? "any value"
    : joinWords(
        kinds.map((kind) => WORDS[kind]),
        "or",
      );
}

/** Names the kind of a value for an error. A text is shown, because only its content can be wrong. */
export function describeArgument(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isJsonObject(value)) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
