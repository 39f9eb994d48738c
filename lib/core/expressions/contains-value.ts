import { hasElement, isNothing } from "#lib/core/expressions/compare-values";
import { containsText } from "#lib/core/expressions/search-text";
import { toText } from "#lib/core/expressions/to-text";
import { isJsonObject } from "#lib/support/json";

/**
 * Returns true if an array contains an equal element, an object the key, or a text the part. A missing part is in nothing,
 * and an empty text is in no text (decisions, The graph document: nothing matches nothing).
 */
export function containsValue(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) return hasElement(left, right);
  if (isJsonObject(left)) return isScalar(right) && Object.hasOwn(left, toText(right));
  return comparesText(left, right) && containsText(toText(left), toText(right));
}

/**
 * Returns true if a part can be looked for in a value. An empty text is a part of every text, so a check against a field
 * that turned out to be empty would let everything through; it matches nothing, like a missing field.
 */
export function comparesText(left: unknown, right: unknown): boolean {
  return isScalar(left) && !isNothing(right) && right !== "";
}

/** Returns true for texts, numbers and booleans. Null has no start and no end. */
export function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
