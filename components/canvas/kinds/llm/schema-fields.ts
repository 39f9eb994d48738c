import { type JsonObject, PROPERTY_TYPES, type PropertySchema } from "#lib/contract/wire/json-schema";
import { inputPropertiesSchema } from "#lib/core/steps/action-input/input-properties";
import { valueSchema } from "#lib/core/steps/action-input/value-schema";
import { isJsonObject, setOwn } from "#lib/support/json";

type Field = Record<string, unknown>;

/** The keywords that the field builder can show; a schema with any other is edited as JSON. */
const VALUE_KEYS = new Set(
  "type description enum items properties required minLength maxLength pattern minimum maximum minItems maxItems".split(
    " ",
  ),
);
/** Kept as they are. */
const OUTER_KEYS = new Set([
  "$schema",
  "title",
  "description",
  "type",
  "properties",
  "required",
  "additionalProperties",
]);

/** Returns the fields that a JSON Schema of an object describes; null if fields cannot express all of it. */
export function fieldsOfSchema(schema: unknown): Field[] | null {
  if (schema === undefined || schema === null) return [];
  if (!isJsonObject(schema) || schema.type !== "object") return null;
  return Object.keys(schema).every((key) => OUTER_KEYS.has(key)) ? fieldsOf(schema) : null;
}

function fieldsOf({ properties = {}, required = [] }: JsonObject): Field[] | null {
  if (!isJsonObject(properties) || !Array.isArray(required)) return null;
  const fields = Object.entries(properties).map(([name, value]) => {
    const declared = declaredValue(value);
    return declared === null ? null : { name, ...declared, required: required.includes(name) };
  });
  return fields.some((field) => field === null) ? null : fields.filter((field) => field !== null);
}

function declaredValue(schema: unknown): Field | null {
  if (!isJsonObject(schema) || !Object.keys(schema).every((key) => VALUE_KEYS.has(key))) return null;
  if (!PROPERTY_TYPES.some((type) => type === schema.type)) return null;
  const { items, properties, required: _, ...rest } = schema;
  const inner = items === undefined ? undefined : declaredValue(items);
  const fields = properties === undefined ? undefined : fieldsOf(schema);
  if (inner === null || fields === null) return null;
  return {
    ...rest,
    ...(inner === undefined ? {} : { items: inner }),
    ...(fields === undefined ? {} : { properties: fields }),
  };
}

/**
 * Returns the JSON Schema of fields, with what else the earlier schema says. Leaves out fields that are not complete,
 * because a name is typed letter by letter.
 */
export function schemaOfFields(fields: readonly Field[], before: unknown): JsonObject {
  const properties: Record<string, PropertySchema> = {};
  const required: string[] = [];
  for (const field of fields) {
    const [complete] = inputPropertiesSchema.safeParse([field]).data ?? [];
    if (complete === undefined || Object.hasOwn(properties, complete.name)) continue;
    setOwn(properties, complete.name, valueSchema(complete));
    if (complete.required) required.push(complete.name);
  }
  const { properties: _properties, required: _required, ...kept } = isJsonObject(before) ? before : {};
  return { ...kept, type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

/** Returns the JSON Schema of values like an example: every field is required, and a list is like its first item. */
export function schemaOfExample(value: unknown): PropertySchema {
  if (Array.isArray(value)) {
    return value.length === 0 ? { type: "array" } : { type: "array", items: schemaOfExample(value[0]) };
  }
  if (isJsonObject(value)) {
    const properties: Record<string, PropertySchema> = {};
    for (const [name, inner] of Object.entries(value)) setOwn(properties, name, schemaOfExample(inner));
    return { type: "object", properties, required: Object.keys(value) };
  }
  if (typeof value === "number" || typeof value === "boolean") return { type: typeof value as "number" | "boolean" };
  return { type: "string" };
}
