import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import { canonicalJson, exceedsJsonDepth } from "#lib/support/json";

const NUMERIC = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?$/;
/** ISO 8601 as JSON carries it: a day, or a moment with its offset. Local times are ambiguous and compare as text. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/;

/** The number a value is or spells; null for anything else, an empty text included. */
function numberOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return null;
  const text = value.trim();
  return text.length <= 400 && NUMERIC.test(text) ? Number(text) : null;
}

function momentOf(text: string): number | null {
  if (!MOMENT.test(text)) return null;
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? null : milliseconds;
}

/**
 * Equality of a condition. Values of one type are equal when they are the same JSON, whatever the order of keys; two
 * texts only when they are the same text. A text beside a number or a boolean counts as what it spells, because what a
 * person types into a field is always a text: 5 equals "5.0" and true equals "TRUE".
 * @throws StepError VALIDATION_ERROR for a value nested deeper than any that is accepted
 */
export function areEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left === "string" && typeof right === "string") return false;
  if (typeof left === "number" || typeof right === "number") {
    const number = numberOf(left);
    return number !== null && number === numberOf(right);
  }
  if (typeof left === "boolean" || typeof right === "boolean") {
    const boolean = booleanOf(left);
    return boolean !== null && boolean === booleanOf(right);
  }
  if (typeof left !== "object" || typeof right !== "object" || !left || !right) {
    return (left ?? null) === (right ?? null);
  }
  return comparableJson(left) === comparableJson(right);
}

/**
 * The same text for the same JSON, whatever the order of keys.
 * @throws StepError VALIDATION_ERROR for a value nested deeper than any that is accepted
 */
function comparableJson(value: object): string {
  if (exceedsJsonDepth(value, 2 * LIMITS.jsonDepth)) {
    throw new StepError("data_too_large", "A value is nested too deeply to be compared.");
  }
  return canonicalJson(value);
}

/** True when an element of the array equals the value. Linear in both: the value is written out once. */
export function hasElement(items: readonly unknown[], value: unknown): boolean {
  if (typeof value !== "object" || value === null) return items.some((item) => areEqual(item, value));
  const wanted = comparableJson(value);
  return items.some((item) => typeof item === "object" && item !== null && comparableJson(item) === wanted);
}

/** The boolean a value is or spells; null for anything else. */
export function booleanOf(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return null;
  const text = value.trim().toLowerCase();
  return text === "true" ? true : text === "false" ? false : null;
}

/**
 * Order of a condition: below zero, zero or above it. Numbers and texts that spell numbers compare as numbers; two ISO
 * 8601 days or moments (with Z or an offset) as instants, a day being its midnight UTC; other texts by their characters'
 * code. Everything else has no order: null, and then no comparison holds.
 */
export function compareValues(left: unknown, right: unknown): number | null {
  const leftNumber = numberOf(left);
  const rightNumber = numberOf(right);
  if (leftNumber !== null && rightNumber !== null) return leftNumber - rightNumber;
  if (typeof left !== "string" || typeof right !== "string") return null;
  const leftMoment = momentOf(left);
  const rightMoment = momentOf(right);
  if (leftMoment !== null && rightMoment !== null) return leftMoment - rightMoment;
  return left < right ? -1 : left > right ? 1 : 0;
}
