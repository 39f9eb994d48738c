import type { JsonObject, OutputSchema, PropertyType } from "#lib/contract/wire/json-schema";
import {
  NULL,
  type Shape,
  type ShapeField,
  shapeOfType,
  shapeOfValue,
  UNKNOWN,
  unionShape,
} from "#lib/core/shapes/shape";
import { isJsonObject } from "#lib/support/json";

/** Deeper parts of a schema are unknown. Schemas come from users and can be nested without end. */
const DEPTH_MAX = 12;
const FIELDS_MAX = 500;
/** Keywords that can change what the others say; a schema with one of them is unknown. */
const UNREADABLE = ["$ref", "$dynamicRef", "allOf", "if", "not", "patternProperties", "unevaluatedProperties"];
const TYPES: ReadonlySet<unknown> = new Set<PropertyType>([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
]);

/** Returns the shape of the values that a JSON Schema accepts. What it does not say is unknown, and objects stay open. */
export function shapeOfSchema(schema: unknown, depth = 0): Shape {
  if (!isJsonObject(schema) || depth > DEPTH_MAX || UNREADABLE.some((word) => Object.hasOwn(schema, word))) {
    return UNKNOWN;
  }
  const { anyOf, oneOf, type } = schema;
  const branches = anyOf ?? oneOf;
  if (branches !== undefined) {
    return Array.isArray(branches) ? unionShape(branches.map((branch) => shapeOfSchema(branch, depth + 1))) : UNKNOWN;
  }
  if ("const" in schema) return shapeOfValue(schema.const);
  if (Array.isArray(type)) return unionShape(type.map((one) => shapeOfTyped({ ...schema, type: one }, depth)));
  return shapeOfTyped(schema, depth);
}

/** An action returns the properties of one Return Output step. Whether one can be null is only known if it says so. */
export function shapeOfActionOutput(schema: OutputSchema | null): Shape {
  if (schema === null) return UNKNOWN;
  const required = "required" in schema ? schema.required : Object.keys(schema.properties);
  return shapeOfSchema({ ...schema, required, additionalProperties: false });
}

function shapeOfTyped(schema: JsonObject, depth: number): Shape {
  const { type, items } = schema;
  if (type === "null") return NULL;
  if (type === "object") return objectOf(schema, depth);
  if (type === "array") return { kind: "array", items: shapeOfSchema(items, depth + 1) };
  return TYPES.has(type) ? shapeOfType(type as PropertyType) : UNKNOWN;
}

function objectOf({ properties, required, additionalProperties: rest }: JsonObject, depth: number): Shape {
  const declared = isJsonObject(properties) ? Object.entries(properties) : [];
  const needed: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  const fields = new Map(
    declared.slice(0, FIELDS_MAX).map(([name, property]): [string, ShapeField] => {
      const description =
        isJsonObject(property) && typeof property.description === "string" ? property.description : "";
      return [name, { shape: shapeOfSchema(property, depth + 1), isOptional: !needed.has(name), description }];
    }),
  );
  const isClosed = rest === false && declared.length <= FIELDS_MAX;
  return { kind: "object", fields, rest: isClosed ? null : shapeOfSchema(rest, depth + 1) };
}
