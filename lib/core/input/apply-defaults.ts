import type { InputSchema, JsonObject, PropertySchema } from "#lib/contract/wire/json-schema";
import { currentSchema, renameAliases } from "#lib/core/input/input-aliases";
import { isJsonObject, setOwn } from "#lib/support/json";

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

type ObjectSchema = Pick<InputSchema, "properties"> & { required?: readonly string[] | undefined };

/**
 * Returns the input without the optional fields that are null, at any depth: no declared type allows null, so such a field
 * was left out, and its default applies. Fields that the schema does not declare, and required ones, stay. Returns the same
 * reference if nothing is left out, and never changes the caller's object.
 */
export function leaveOutNullFields({ properties, required = [] }: ObjectSchema, input: JsonObject): JsonObject {
  let changed: JsonObject | null = null;
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(input, name)) continue;
    const given = input[name];
    if (given === null) {
      if (required.includes(name)) continue;
      changed ??= { ...input };
      Reflect.deleteProperty(changed, name);
      continue;
    }
    const read = readValue(property, given);
    if (read === given) continue;
    changed ??= { ...input };
    setOwn(changed, name, read);
  }
  return changed ?? input;
}

function readValue({ properties, required, items }: PropertySchema, value: unknown): unknown {
  if (properties && isJsonObject(value)) return leaveOutNullFields({ properties, required }, value);
  if (!items?.properties && !items?.items) return value;
  if (!Array.isArray(value)) return value;
  const read = value.map((item) => readValue(items, item));
  return read.every((item, index) => item === value[index]) ? value : read;
}
