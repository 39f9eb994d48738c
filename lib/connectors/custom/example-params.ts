import { checkOperationParams } from "#lib/connectors/custom/check-operation-params";
import { checkValue } from "#lib/connectors/custom/check-value";
import type { CustomOperation } from "#lib/connectors/custom/custom-definition";
import { exampleText } from "#lib/connectors/custom/example-text";
import { listFields } from "#lib/connectors/custom/list-fields";
import { isFileSchema } from "#lib/connectors/http/body/file-value";
import { PARAMETER_PLACES } from "#lib/contract/connector/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject, setOwn } from "#lib/support/json";

const DEPTH_MAX = 10;
const ITEMS_MAX = 20;
const OPTIONAL_MAX = 3;
const FILE: JsonObject = { text: "Hello", filename: "hello.txt" };

/**
 * Returns params with which an operation can be called: what it requires and a body, with the values of the document if it
 * gives some that its schemas accept. If it requires nothing, it shows some of what can be sent.
 */
export function exampleParams(operation: CustomOperation): JsonObject {
  const params = paramsOf(operation, (place, name) => operation.required.includes(`${place}.${name}`));
  const body = getPath(operation.paramsSchema, ["properties", "body"]);
  if (operation.bodyType !== null && isJsonObject(body)) params.body = generate(body, operation.example?.body, 0);
  if (Object.keys(params).length > 0) return params;
  const names = PARAMETER_PLACES.flatMap((place) => {
    const properties = getPath(operation.paramsSchema, ["properties", place, "properties"]);
    return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => {
      const isShown = getPath(operation.example, [place, name]) !== null || hasValue(schema);
      return { key: `${place}.${name}`, isShown };
    });
  });
  const shown = names.filter(({ isShown }) => isShown).slice(0, OPTIONAL_MAX);
  const keys = new Set((shown.length > 0 ? shown : names.slice(0, 1)).map(({ key }) => key));
  const optional = paramsOf(operation, (place, name) => keys.has(`${place}.${name}`));
  return checkOperationParams(operation, optional).length === 0 ? optional : {};
}

function paramsOf(operation: CustomOperation, isWanted: (place: string, name: string) => boolean): JsonObject {
  const params: JsonObject = {};
  for (const place of PARAMETER_PLACES) {
    const properties = getPath(operation.paramsSchema, ["properties", place, "properties"]);
    const values: JsonObject = {};
    for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
      if (!isWanted(place, name) || !isJsonObject(schema)) continue;
      setOwn(values, name, generate(schema, getPath(operation.example, [place, name]) ?? undefined, 0));
    }
    if (Object.keys(values).length > 0) params[place] = values;
  }
  return params;
}

function hasValue(schema: unknown): boolean {
  return isJsonObject(schema) && ["default", "const", "enum"].some((key) => schema[key] !== undefined);
}

/** @param hint what the document gives as an example; a part of an object is completed */
function generate(schema: JsonObject, hint: unknown, depth: number): unknown {
  if (isFileSchema(schema)) return FILE;
  const values: unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
  const given = [hint, schema.const, schema.default, ...values].find(
    (value) => value !== undefined && value !== null && value !== "" && checkValue(schema, value, []).length === 0,
  );
  if (given !== undefined) return given;
  if (depth > DEPTH_MAX) return null;
  return (
    choices(schema, hint, depth).find((value) => checkValue(schema, value, []).length === 0) ??
    byType(schema, hint, depth)
  );
}

/** Returns a value for each choice, completed with what the schema asks of all of them. */
function choices(schema: JsonObject, hint: unknown, depth: number): unknown[] {
  const lists = [schema.oneOf, schema.anyOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  return lists.slice(0, ITEMS_MAX).map((choice) => {
    const value = generate(choice, hint, depth + 1);
    if (!isJsonObject(value) || typeOf(schema) !== "object") return value;
    const common = byType(schema, hint, depth);
    return isJsonObject(common) ? { ...common, ...value } : value;
  });
}

function typeOf({ type, properties, items, prefixItems, allOf, required }: JsonObject): string {
  const [named] = [type].flat().filter((name) => name !== "null" && typeof name === "string");
  if (typeof named === "string") return named;
  if (isJsonObject(properties) || Array.isArray(required) || Array.isArray(allOf)) return "object";
  return (items ?? prefixItems) === undefined ? "string" : "array";
}

function byType(schema: JsonObject, hint: unknown, depth: number): unknown {
  const { allOf } = schema;
  const [only] = Array.isArray(allOf) ? allOf.filter(isJsonObject) : [];
  if (schema.type === undefined && schema.properties === undefined && only && typeOf(only) !== "object") {
    return generate(only, hint, depth + 1);
  }
  switch (typeOf(schema)) {
    case "object":
      return objectOf(schema, hint, depth);
    case "array": {
      const first: unknown[] = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
      const count = Math.min(Math.max(Number(schema.minItems ?? 1), first.length, 1), ITEMS_MAX);
      const hints: unknown[] = Array.isArray(hint) ? hint : [];
      return Array.from({ length: count }, (_, index) => {
        const item = first[index] ?? schema.items;
        return generate(isJsonObject(item) ? item : {}, hints[index], depth + 1);
      });
    }
    case "boolean":
      return true;
    case "integer":
    case "number":
      return numberOf(schema);
    default:
      return exampleText(schema);
  }
}

/** The required fields, and those that the document gives an example of. */
function objectOf(schema: JsonObject, hint: unknown, depth: number): JsonObject {
  const result: JsonObject = {};
  const hints: JsonObject = isJsonObject(hint) ? hint : {};
  const wanted = new Set([...requiredOf(schema), ...Object.keys(hints)]);
  const { oneOf: _, anyOf: _any, ...own } = schema;
  for (const [name, property] of listFields(own)) {
    if (!wanted.has(name) || property.readOnly === true) continue;
    setOwn(result, name, generate(property, Object.hasOwn(hints, name) ? hints[name] : undefined, depth + 1));
    wanted.delete(name);
  }
  for (const name of requiredOf(schema))
    if (wanted.has(name) && !listFields(schema).has(name)) setOwn(result, name, "text");
  return result;
}

function requiredOf({ required, allOf }: JsonObject): string[] {
  const own = (Array.isArray(required) ? required : []).filter((name): name is string => typeof name === "string");
  return [...own, ...(Array.isArray(allOf) ? allOf : []).filter(isJsonObject).flatMap(requiredOf)];
}

function numberOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonObject): number {
  const isWhole = type === "integer";
  const bound = (value: unknown) => (typeof value === "number" ? value : null);
  const step = bound(multipleOf) ?? (isWhole ? 1 : null);
  const open = exclusiveMinimum === true ? bound(minimum) : bound(exclusiveMinimum);
  const least = open === null ? bound(minimum) : open + (step ?? 0.5);
  const end = exclusiveMaximum === true ? bound(maximum) : bound(exclusiveMaximum);
  const most = end === null ? bound(maximum) : end - (step ?? 0.5);
  const near = Math.min(Math.max(1, least ?? 1), most ?? Number.MAX_SAFE_INTEGER);
  if (step === null || step <= 0) return near;
  const up = Math.ceil(near / step) * step;
  return most !== null && up > most ? Math.floor(near / step) * step : up;
}
