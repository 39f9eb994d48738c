import type { InputSchema, JsonObject } from "#lib/contract/json-schema";
import { setOwn } from "#lib/support/json";

/**
 * The input with the default of every field that was not sent. A field sent as null was sent. The same reference when
 * nothing was missing; the caller's object is never changed.
 */
export function applyDefaults(schema: InputSchema, input: JsonObject): JsonObject {
  let filled: JsonObject | null = null;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (property.default === undefined || Object.hasOwn(input, name)) continue;
    filled ??= { ...input };
    setOwn(filled, name, structuredClone(property.default));
  }
  return filled ?? input;
}
