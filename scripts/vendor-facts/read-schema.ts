import type { PublishedField, PublishedFields } from "#lib/connectors/vendors/published-facts.fixture";
import { isJsonObject } from "#lib/support/json";

/** The maximum depth of a body's fields. No connector request nests deeper. */
const DEPTH = 4;

/** Resolves a `$ref` in the vendor's document. */
export type Resolve = (reference: string) => unknown;

/**
 * Reduces a JSON Schema to the fields of its objects.
 * @returns undefined if the schema allows any field
 */
export function readObjectFields(schema: unknown, resolve: Resolve, depth = DEPTH): PublishedFields | undefined {
  const parts = flatten(schema, resolve);
  const items = parts.map(({ items: of }) => of).find((of) => of !== undefined);
  if (items !== undefined) return readObjectFields(items, resolve, depth);
  const properties = parts.flatMap((part) => (isJsonObject(part.properties) ? Object.entries(part.properties) : []));
  const isOpen = parts.some(({ additionalProperties: more }) => more !== undefined && more !== false);
  if (properties.length === 0 || isOpen || depth === 0) return undefined;
  const isChoice = isJsonObject(schema) && (Array.isArray(schema.oneOf) || Array.isArray(schema.anyOf));
  const required = new Set(
    isChoice ? [] : parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])),
  );
  return Object.fromEntries(
    properties.map(([name, property]) => {
      // A nullable field does not have to be sent.
      const isRequired = required.has(name) && !(isJsonObject(property) && property.nullable === true);
      return [name, readField(property, isRequired, resolve, depth - 1)];
    }),
  );
}

/** Reduces the schema of one parameter or field. */
export function readField(schema: unknown, isRequired: boolean, resolve: Resolve, depth = DEPTH): PublishedField {
  const parts = flatten(schema, resolve);
  const inner = parts.flatMap(({ items }) => (items === undefined ? [] : flatten(items, resolve)));
  const values = [...parts, ...inner].flatMap((part) => (Array.isArray(part.enum) ? part.enum.map(String) : []));
  const fields = readObjectFields(schema, resolve, depth);
  return {
    ...(isRequired ? { required: true } : {}),
    ...(parts.some(({ deprecated }) => deprecated === true) ? { deprecated: true } : {}),
    ...(values.length > 0 ? { values: [...new Set(values)] } : {}),
    ...(fields === undefined ? {} : { fields }),
  };
}

/** Returns a schema and all schemas that it is composed of. */
function flatten(schema: unknown, resolve: Resolve, depth = 6): Record<string, unknown>[] {
  if (!isJsonObject(schema) || depth === 0) return [];
  const { $ref, allOf = [], oneOf = [], anyOf = [], discriminator } = schema;
  const target = typeof $ref === "string" ? flatten(resolve($ref), resolve, depth - 1) : [];
  const mapped = isJsonObject(discriminator) && isJsonObject(discriminator.mapping) ? discriminator.mapping : {};
  const kinds = Object.values(mapped).flatMap((reference) => {
    const found = typeof reference === "string" ? resolve(reference) : null;
    return isJsonObject(found) ? [{ ...found, required: [], allOf: onlyOwn(found.allOf) }] : [];
  });
  const composed = [allOf, oneOf, anyOf, kinds].flatMap((list) => (Array.isArray(list) ? list : []));
  return [schema, ...target, ...composed.flatMap((part) => flatten(part, resolve, depth - 1))];
}

/**
 * Returns the parts of a schema that are not references. A variant of a discriminated schema refers back to that
 * schema.
 */
function onlyOwn(parts: unknown): unknown[] {
  return Array.isArray(parts) ? parts.filter((part) => !isJsonObject(part) || part.$ref === undefined) : [];
}
