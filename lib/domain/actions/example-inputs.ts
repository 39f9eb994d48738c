import type { InputSchema, JsonObject, PropertySchema, PropertyType } from "#lib/contract/json-schema";
import { setOwn } from "#lib/support/json";

const VALUE_OF: Record<PropertyType, unknown> = {
  string: "text",
  number: 1.5,
  integer: 1,
  boolean: true,
  object: {},
  array: [],
};

/**
 * Derives inputs that satisfy the schema (decisions, Actions): one with every field, and one with only
 * the required fields if that differs.
 */
export function exampleInputs(schema: InputSchema): JsonObject[] {
  const names = Object.keys(schema.properties);
  const required = names.filter((name) => schema.required.includes(name));
  const full = exampleOf(schema, names);
  return required.length === names.length ? [full] : [full, exampleOf(schema, required)];
}

function exampleOf(schema: InputSchema, names: readonly string[]): JsonObject {
  const example: JsonObject = {};
  for (const name of names) {
    const property = schema.properties[name];
    if (property) setOwn(example, name, exampleValue(property));
  }
  return example;
}

function exampleValue(property: PropertySchema): unknown {
  if (property.default !== undefined) return property.default;
  if (property.enum && property.enum.length > 0) return property.enum[0];
  if (property.type === "array" && property.items) return [VALUE_OF[property.items.type]];
  return VALUE_OF[property.type];
}
