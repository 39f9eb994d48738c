import { LIMITS } from "#lib/contract/limits";
import { PROPERTY_TYPES, type PropertyType } from "#lib/contract/wire/json-schema";
import { listShape, type Shape, type ShapeField, shapeOfType, UNKNOWN } from "#lib/core/shapes/shape";
import { isJsonObject } from "#lib/support/json";

/**
 * Returns the shape of an object whose properties are declared: `[{ name, type?, description?, required?, default?,
 * items?, properties? }]`. In a draft, the data can be anything.
 */
export function propertyShape(items: unknown, depth = 0): Shape {
  if (!Array.isArray(items)) return UNKNOWN;
  const fields = new Map<string, ShapeField>();
  for (const item of items) {
    if (!isJsonObject(item) || typeof item.name !== "string" || item.name === "" || fields.has(item.name)) continue;
    const { name, description, required, default: initial } = item;
    fields.set(name, {
      shape: valueShape(item, depth),
      isOptional: required !== true && initial === undefined,
      description: typeof description === "string" ? description : "",
    });
  }
  return { kind: "object", fields, rest: null };
}

/** An object or list that says nothing about what it contains can contain anything. */
function valueShape(value: unknown, depth: number): Shape {
  if (!isJsonObject(value) || depth > LIMITS.inputDepth) return UNKNOWN;
  const { type, items, properties } = value;
  if (type === "array") return listShape(valueShape(items, depth + 1));
  return type === "object" && properties !== undefined
    ? propertyShape(properties, depth + 1)
    : shapeOfType(asPropertyType(type));
}

function asPropertyType(value: unknown): PropertyType | null {
  return PROPERTY_TYPES.find((type) => type === value) ?? null;
}
