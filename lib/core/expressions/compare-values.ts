import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import { readWrittenDate, type WrittenDate } from "#lib/core/schedules/read-written-date";
import { canonicalJson, exceedsJsonDepth } from "#lib/support/json";
import { compareDecimals } from "#lib/support/numbers/decimal";

const NUMERIC = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?$/;

/** Returns the number that a value is or that its text represents; null for anything else, including an empty text. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return null;
  const text = value.trim();
  return text.length <= 400 && NUMERIC.test(text) ? Number(text) : null;
}

/**
 * Compares two values that are numbers. Different numbers can have the same double, so then the digits of two texts decide,
 * and beyond 2^53 also those of a text and a number: the text "9007199254740993" is greater than "9007199254740992".
 * @returns null if one of them is not a number
 */
function compareNumbers(left: unknown, right: unknown): number | null {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a === null || b === null) return null;
  if (a !== b) return a - b;
  const areTexts = typeof left === "string" && typeof right === "string";
  // A text such as 1e-400 has the double 0, and is not 0.
  if (!areTexts && a !== 0 && Math.abs(a) <= Number.MAX_SAFE_INTEGER) return 0;
  return compareDecimals(String(left), String(right)) ?? 0;
}

/** Compares two texts that are days or moments; null if one is something else. Local times are ambiguous. */
function compareMoments(left: string, right: string): number | null {
  const [a, b] = [readWrittenDate(left), readWrittenDate(right)];
  if (a === null || b === null || isLocalTime(a) || isLocalTime(b)) return null;
  const order = momentMs(a) - momentMs(b);
  return order === 0 ? compareText(a.finerDigits, b.finerDigits) : order;
}

function isLocalTime({ hasTime, aheadMs }: WrittenDate): boolean {
  return hasTime && aheadMs === null;
}

function momentMs({ wallMs, aheadMs }: WrittenDate): number {
  return wallMs - (aheadMs ?? 0);
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Decides whether two values of a condition are equal. Null and a missing value equal nothing, not even each other
 * (decisions, The graph document: `exists` and `is_empty` ask for them). Values of the same type are equal if they are the same JSON,
 * regardless of the order of keys; two texts are equal only if they are the same text. A text compared with a number or
 * boolean counts as the value it represents, because everything that a person types into a field is text: 5 equals
 * "5.0" and true equals "TRUE".
 * @throws StepError VALIDATION_ERROR if a value is nested deeper than allowed
 */
export function areEqual(left: unknown, right: unknown): boolean {
  if (isNothing(left) || isNothing(right)) return false;
  if (left === right) return true;
  if (typeof left === "string" && typeof right === "string") return false;
  if (typeof left === "number" || typeof right === "number") {
    return compareNumbers(left, right) === 0;
  }
  if (typeof left === "boolean" || typeof right === "boolean") {
    const boolean = booleanOf(left);
    return boolean !== null && boolean === booleanOf(right);
  }
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  return comparableJson(left) === comparableJson(right);
}

/** Returns true for null and for what does not exist. */
export function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/**
 * Returns the same text for the same JSON, regardless of the order of keys.
 * @throws StepError VALIDATION_ERROR if a value is nested deeper than allowed
 */
function comparableJson(value: object): string {
  if (exceedsJsonDepth(value, 2 * LIMITS.jsonDepth)) {
    throw new StepError("data_too_large", "A value is nested too deeply to be compared.");
  }
  return canonicalJson(value);
}

/**
 * Returns true if an element of the array equals the value. The time is linear in both, because the value is serialized
 * only once.
 */
export function hasElement(items: readonly unknown[], value: unknown): boolean {
  if (typeof value !== "object" || value === null) return items.some((item) => areEqual(item, value));
  const wanted = comparableJson(value);
  return items.some((item) => typeof item === "object" && item !== null && comparableJson(item) === wanted);
}

/** Returns the boolean that a value is or that its text represents; null for anything else. */
export function booleanOf(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return null;
  const text = value.trim().toLowerCase();
  return text === "true" ? true : text === "false" ? false : null;
}

/**
 * Compares two values of a condition: below zero, zero or above zero. Numbers and texts that represent numbers are
 * compared as numbers; two ISO 8601 days or moments (with Z or an offset) as instants, where a day is its midnight in
 * UTC; other texts by their character codes. All other values have no order: the result is null, and no comparison is
 * true.
 */
export function compareValues(left: unknown, right: unknown): number | null {
  const order = compareNumbers(left, right);
  if (order !== null) return order;
  if (typeof left !== "string" || typeof right !== "string") return null;
  return compareMoments(left, right) ?? compareText(left, right);
}
