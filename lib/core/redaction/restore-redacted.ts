import type { FieldError } from "#lib/contract/error/api-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { canonicalJson, isJsonObject, setOwn } from "#lib/support/json";

const MARKER = /\[(?:REDACTED(?:_[A-Z]+)?|TRUNCATED_DEPTH)\]/;

export interface Restored {
  value: JsonObject;
  /** Texts that still contain a marker whose real value is unknown. The user must type them again. */
  lost: FieldError[];
}

/**
 * Restores the real values in an edited copy of a sanitized payload: everything that was left as shown gets its real
 * value.
 * @param edited the payload that the user sent
 * @param shown the sanitized payload that the user saw
 * @param real the payload before sanitizing
 */
export function restoreRedacted(edited: JsonObject, shown: JsonObject, real: JsonObject): Restored {
  const lost: FieldError[] = [];
  const restore = (value: unknown, seen: unknown, original: unknown, path: string[]): unknown => {
    if (canonicalJson(value) === canonicalJson(seen)) return original;
    if (typeof value === "string" && MARKER.test(value)) {
      lost.push({
        field: path.join("."),
        pointer: path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
        code: "redacted",
        message: "the hidden value cannot be restored within an edited text; type the whole text again",
      });
      return value;
    }
    if (Array.isArray(value)) {
      // If an item was added or removed, the items can't be matched.
      const isSameLength = Array.isArray(seen) && Array.isArray(original) && seen.length === value.length;
      return value.map((item, index) => {
        const place = [...path, String(index)];
        return isSameLength ? restore(item, seen[index], original[index], place) : restore(item, NONE, null, place);
      });
    }
    if (!isJsonObject(value)) return value;
    const copy: JsonObject = {};
    for (const [key, item] of Object.entries(value)) {
      const isKnown =
        isJsonObject(seen) && isJsonObject(original) && Object.hasOwn(seen, key) && Object.hasOwn(original, key);
      const place = [...path, key];
      setOwn(copy, key, isKnown ? restore(item, seen[key], original[key], place) : restore(item, NONE, null, place));
    }
    return copy;
  };
  return { value: restore(edited, shown, real, []) as JsonObject, lost };
}

/** Equal to no JSON value. */
const NONE = undefined;
