import type { InputSchema, JsonObject } from "#lib/contract/json-schema";
import { currentSchema, renameAliases } from "#lib/core/input/input-aliases";
import { leaveOutNullFields } from "#lib/core/input/leave-out-null-fields";
import { setOwn } from "#lib/support/json";

/**
 * Returns the input with the current names of its fields, and with the default of every field that was not sent. An
 * optional field that is null was not sent. Returns the same reference if nothing was missing, and never changes the caller's object.
 */
export function applyDefaults(schema: InputSchema, given: JsonObject): JsonObject {
  const { input } = renameAliases(schema, leaveOutNullFields(schema, given));
  let filled: JsonObject | null = null;
  for (const [name, property] of Object.entries(currentSchema(schema).properties)) {
    if (property.default === undefined || Object.hasOwn(input, name)) continue;
    filled ??= { ...input };
    setOwn(filled, name, structuredClone(property.default));
  }
  return filled ?? input;
}
