import { z } from "zod";
// Names the schemas of the errors.
import "#lib/contract/openapi/wire-errors";
import type { InputSchema, JsonObject, OutputSchema } from "#lib/contract/wire/json-schema";
import { WIRE_NAMES } from "#lib/contract/wire/wire-values";

const SCHEMAS = "#/components/schemas/";

/** Returns every named schema of the wire as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function namedSchemas(): Record<string, JsonObject> {
  const { schemas } = z.toJSONSchema(WIRE_NAMES, { uri: (id) => `${SCHEMAS}${id}`, override: tidy });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: _id, ...schema }]) => [id, schema as JsonObject]),
  );
}

/**
 * Returns a reference to a named schema.
 * @throws Error for a schema without a name, which no reference could point to
 */
export function schemaRef(schema: z.ZodType): { $ref: string } {
  const id = WIRE_NAMES.get(schema)?.id;
  if (id === undefined) throw new Error("a schema of the wire has no name");
  return { $ref: `${SCHEMAS}${id}` };
}

export function namedRef(id: string): { $ref: string } {
  return { $ref: `${SCHEMAS}${id}` };
}

/** Returns what a caller can send, property by property. */
export function inputProperties(input: z.ZodObject): { properties: Record<string, JsonObject>; required: string[] } {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input", override: tidy });
  return { properties: properties as Record<string, JsonObject>, required };
}

/** Generated clients give an object without any properties the type of an object that is always empty. */
function isBareObject({ type, properties, additionalProperties }: JsonObject): boolean {
  return type === "object" && properties === undefined && additionalProperties === undefined;
}

/** Returns the schema of an action's input or output with objects that may have any fields. */
export function openObjects<Schema extends InputSchema | OutputSchema>(schema: Schema): Schema {
  const opened = Object.entries(schema.properties).map(([name, property]) => [
    name,
    { ...opening(property), ...(property.items ? { items: opening(property.items) } : {}) },
  ]);
  const properties: Schema["properties"] = Object.fromEntries(opened);
  return { ...schema, properties, ...(opened.length === 0 ? { additionalProperties: {} } : {}) };
}

function opening<Property extends { type: string }>(property: Property): Property {
  return isBareObject(property) ? { ...property, additionalProperties: {} } : property;
}

/**
 * Removes what zod adds: the pattern behind every format, and closed objects. An answer may gain fields (contract,
 * Versioning), so the schema must not rule that out.
 */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (isBareObject(jsonSchema)) jsonSchema.additionalProperties = {};
  delete jsonSchema.propertyNames;
}

/**
 * Returns the schemas that are referenced, directly or indirectly, sorted by name so that the import order does not
 * matter.
 */
export function usedSchemas(root: unknown, all: Record<string, JsonObject>): Record<string, JsonObject> {
  const used = new Set<string>();
  const collect = (value: unknown): void => {
    for (const [, id = ""] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(id) || !all[id]) continue;
      used.add(id);
      collect(all[id]);
    }
  };
  collect(root);
  const sorted = [...used].sort();
  return Object.fromEntries(sorted.flatMap((id) => (all[id] ? [[id, all[id]]] : [])));
}
