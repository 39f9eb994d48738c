import { isJsonObject } from "#lib/support/json";

/** Keywords that no provider's structured output supports. The answer is checked against them afterwards. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "contains",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
  "propertyNames",
  "patternProperties",
  "default",
  "examples",
  "title",
  "$schema",
  "$id",
]);
/** The children of these keys have names that a person chose; they are not keywords. */
const NAMED: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);
const VALUES: ReadonlySet<string> = new Set(["enum", "const", "required"]);
/** Keywords that OpenAI rejects in a strict schema. */
const UNSTRICT = ["oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"];

/**
 * Returns the schema as providers accept it: without the keywords they cannot enforce, and with objects closed unless
 * they are declared open.
 */
export function enforceableSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(enforceableSchema);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key]) => !UNSUPPORTED.has(key));
  const result = Object.fromEntries(kept.map(([key, value]) => [key, enforceableValue(key, value)]));
  if (result.type === "object" && result.additionalProperties === undefined) result.additionalProperties = false;
  return result;
}

function enforceableValue(key: string, value: unknown): unknown {
  if (VALUES.has(key)) return value;
  if (!NAMED.has(key) || !isJsonObject(value)) return enforceableSchema(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, enforceableSchema(inner)]));
}

/** Returns whether every object requires all its properties and allows no others, which OpenAI calls strict. */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isJsonObject(schema)) return true;
  if (UNSTRICT.some((keyword) => keyword in schema)) return false;
  const { properties, required, additionalProperties } = schema;
  if (schema.type === "object" || properties !== undefined) {
    const names = isJsonObject(properties) ? Object.keys(properties) : [];
    const listed = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !names.every((name) => listed.includes(name))) return false;
  }
  return Object.entries(schema).every(([key, value]) => {
    if (VALUES.has(key)) return true;
    return NAMED.has(key) && isJsonObject(value) ? Object.values(value).every(isStrictSchema) : isStrictSchema(value);
  });
}

/**
 * Returns the schema with every property required, because OpenAI is only strict with such schemas. A property that was
 * optional may be null instead; `dropAddedNulls` takes these nulls out of the answer.
 */
export function requireAll(schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema;
  const { properties, items } = schema;
  const result = { ...schema, ...(isJsonObject(items) ? { items: requireAll(items) } : {}) };
  if (!isJsonObject(properties)) return result;
  const all = Object.entries(properties).map(([name, property]) => {
    const complete = requireAll(property);
    return [name, isOptional(schema, name, property) ? { anyOf: [complete, { type: "null" }] } : complete];
  });
  return { ...result, properties: Object.fromEntries(all), required: Object.keys(properties) };
}

/** Returns an answer without the nulls that only `requireAll` allowed. */
export function dropAddedNulls(value: unknown, schema: unknown): unknown {
  if (!isJsonObject(schema)) return value;
  const { properties, items } = schema;
  if (Array.isArray(value)) return isJsonObject(items) ? value.map((item) => dropAddedNulls(item, items)) : value;
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  const kept = Object.entries(value).flatMap(([name, item]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (item === null && property !== undefined && isOptional(schema, name, property)) return [];
    return [[name, dropAddedNulls(item, property)]];
  });
  return Object.fromEntries(kept);
}

/** False for a property that may be null anyway: there, null is an answer. */
function isOptional({ required }: Record<string, unknown>, name: string, property: unknown): boolean {
  return !(Array.isArray(required) && required.includes(name)) && !allowsNull(property);
}

function allowsNull(schema: unknown): boolean {
  if (!isJsonObject(schema)) return true;
  const { type, anyOf, enum: values } = schema;
  if (Array.isArray(anyOf)) return anyOf.some(allowsNull);
  if (Array.isArray(values)) return values.includes(null);
  return type !== undefined && [type].flat().includes("null");
}
