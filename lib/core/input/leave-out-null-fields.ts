import type { InputSchema, JsonObject, PropertySchema } from "#lib/contract/json-schema";
import { isJsonObject, setOwn } from "#lib/support/json";

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
