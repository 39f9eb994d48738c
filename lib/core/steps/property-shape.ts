import { PROPERTY_TYPES, type PropertyType } from "#lib/contract/json-schema";
import { type Shape, type ShapeField, shapeOfType, UNKNOWN } from "#lib/core/shapes/shape";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

/**
 * Returns the shape of an object whose properties are declared: `[{ name, type?, description?, required?, default? }]`. In
 * a draft, the data can be anything.
 */
export function propertyShape(items: unknown): Shape {
  if (!Array.isArray(items)) return UNKNOWN;
  const fields = new Map<string, ShapeField>();
  for (const item of items) {
    if (!isJsonObject(item) || typeof item.name !== "string" || item.name === "" || fields.has(item.name)) continue;
    const { name, type, description, required, default: initial } = item;
    fields.set(name, {
      shape: shapeOfType(asPropertyType(type), asPropertyType(getPath(item, ["items", "type"]))),
      isOptional: required !== true && initial === undefined,
      description: typeof description === "string" ? description : "",
    });
  }
  return { kind: "object", fields, rest: null };
}

function asPropertyType(value: unknown): PropertyType | null {
  return PROPERTY_TYPES.find((type) => type === value) ?? null;
}
