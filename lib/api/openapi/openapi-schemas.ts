import { z } from "zod";
// Names the schemas of the errors.
import "#lib/contract/openapi/wire-errors";
import type { JsonObject } from "#lib/contract/json-schema";
import { WIRE_NAMES } from "#lib/contract/schemas/wire-names";

const SCHEMAS = "#/components/schemas/";

/** Every named schema of the wire as JSON Schema 2020-12, which is OpenAPI 3.1's own. */
export function namedSchemas(): Record<string, JsonObject> {
  const { schemas } = z.toJSONSchema(WIRE_NAMES, { uri: (id) => `${SCHEMAS}${id}`, override: tidy });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: _id, ...schema }]) => [id, schema as JsonObject]),
  );
}

/** A reference to a named schema. @throws Error for one without a name: it would have no place to point to */
export function schemaRef(schema: z.ZodType): { $ref: string } {
  const id = WIRE_NAMES.get(schema)?.id;
  if (id === undefined) throw new Error("a schema of the wire has no name");
  return { $ref: `${SCHEMAS}${id}` };
}

export function namedRef(id: string): { $ref: string } {
  return { $ref: `${SCHEMAS}${id}` };
}

/** What a caller may send, property by property. */
export function inputProperties(input: z.ZodObject): { properties: Record<string, JsonObject>; required: string[] } {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input", override: tidy });
  return { properties: properties as Record<string, JsonObject>, required };
}

/**
 * zod writes the pattern behind every format, and closes objects that it read. An answer may gain fields (contract,
 * Versioning), so callers must not be told that it never will.
 */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  delete jsonSchema.propertyNames;
}

/** The schemas that something refers to, and those that they refer to, sorted by name: imports do not decide the order. */
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
