import type { InputSchema, JsonObject } from "#lib/contract/json-schema";
import { currentSchema, renameAliases } from "#lib/core/input/input-aliases";
import { setOwn } from "#lib/support/json";

/**
 * Returns the input with the current names of its fields, and with the default of every field that was not sent. A field
 * sent as null counts as sent. Returns the same reference if nothing was missing, and never changes the caller's object.
 */
export function applyDefaults(schema: InputSchema, given: JsonObject): JsonObject {
  const { input } = renameAliases(schema, given);
  let filled: JsonObject | null = null;
  for (const [name, property] of Object.entries(currentSchema(schema).properties)) {
    if (property.default === undefined || Object.hasOwn(input, name)) continue;
    filled ??= { ...input };
    setOwn(filled, name, structuredClone(property.default));
  }
  return filled ?? input;
}
