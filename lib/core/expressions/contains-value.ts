import { hasElement } from "#lib/core/expressions/compare-values";
import { containsText } from "#lib/core/expressions/search-text";
import { toText } from "#lib/core/expressions/to-text";
import { isJsonObject } from "#lib/support/json";

/** Returns true if an array contains an equal element, an object the key, or a text the part. */
export function containsValue(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) return hasElement(left, right);
  if (isJsonObject(left)) return isScalar(right) && Object.hasOwn(left, toText(right));
  return isScalar(left) && containsText(toText(left), toText(right));
}

/** Returns true for texts, numbers and booleans. Null has no start and no end. */
export function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
