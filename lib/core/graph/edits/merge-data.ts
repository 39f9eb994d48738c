import type { JsonObject } from "#lib/contract/json-schema";
import { isJsonObject, setOwn } from "#lib/support/json";

/**
 * Applies a JSON Merge Patch (RFC 7396): objects are merged key by key, null removes a key, everything else is
 * replaced. Neither argument is changed.
 */
export function mergeData(data: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = {};
  for (const [key, value] of Object.entries(data)) if (!Object.hasOwn(patch, key)) setOwn(merged, key, value);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) continue;
    const before = Object.hasOwn(data, key) ? data[key] : undefined;
    setOwn(merged, key, isJsonObject(value) ? mergeData(isJsonObject(before) ? before : {}, value) : value);
  }
  return merged;
}
