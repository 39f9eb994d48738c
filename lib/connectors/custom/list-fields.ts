import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject } from "#lib/support/json";

/** Returns the fields of an object by name, including those of the parts that it is composed of. */
export function listFields(schema: JsonObject): Map<string, JsonObject> {
  const fields = new Map<string, JsonObject>();
  collect(schema, fields);
  return fields;
}

function collect({ properties, allOf, anyOf, oneOf }: JsonObject, fields: Map<string, JsonObject>): void {
  for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
    if (isJsonObject(schema) && !fields.has(name)) fields.set(name, schema);
  }
  for (const list of [allOf, anyOf, oneOf]) {
    if (Array.isArray(list)) for (const part of list) if (isJsonObject(part)) collect(part, fields);
  }
}
