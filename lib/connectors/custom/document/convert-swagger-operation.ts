import { resolveReference } from "#lib/connectors/custom/resolve-reference";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isJsonObject, setOwn } from "#lib/support/json";

/** Documents list the same few types for every operation. */
const TYPES_MAX = 20;
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const JSON_TYPE = "application/json";

/** The keywords of a parameter that describe its value. In OpenAPI 3 they are in its schema. */
const SCHEMA_KEYS = new Set(
  "type format items default enum maximum minimum exclusiveMaximum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf".split(
    " ",
  ),
);

/** How OpenAPI 3 says the same as a `collectionFormat`. Tab-separated values have no equivalent and become commas. */
const COLLECTIONS: Record<string, { style: string; explode: boolean }> = {
  multi: { style: "form", explode: true },
  ssv: { style: "spaceDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
};

/**
 * Brings an operation of a Swagger 2.0 document into the form of OpenAPI 3.
 * @param shared the parameters that the path declares for all of its operations
 */
export function convertSwaggerOperation(document: JsonObject, operation: JsonObject, shared: unknown): JsonObject {
  const declared = merge(document, shared, operation.parameters);
  // What can't be read stays, so that it is reported with its place.
  const plain = declared.filter(({ place }) => place !== "body" && place !== "formData");
  const body = declared.find(({ place }) => place === "body");
  const fields = declared.filter(({ place }) => place === "formData");
  const consumes = typesOf(operation.consumes, document.consumes);
  const produces = typesOf(operation.produces, document.produces);
  const requestBody = body?.parameter ? convertBody(body.parameter, consumes) : convertForm(fields, consumes);
  return {
    ...operation,
    parameters: plain.map(({ raw, parameter }) => (parameter ? convertParameter(parameter) : raw)),
    ...(requestBody ? { requestBody } : {}),
    responses: convertResponses(document, operation.responses, produces),
  };
}

interface Declared {
  raw: unknown;
  /** Null if its reference leads nowhere. */
  parameter: JsonObject | null;
  place: unknown;
}

/** A parameter of the operation replaces that of the path with the same name and place. */
function merge(document: JsonObject, ...lists: unknown[]): Declared[] {
  const byKey = new Map<string, Declared>();
  for (const list of lists) {
    for (const raw of Array.isArray(list) ? list : []) {
      const parameter = follow(document, raw);
      const key = parameter ? `${parameter.in} ${parameter.name}` : `unreadable ${byKey.size}`;
      byKey.set(key, { raw, parameter, place: parameter?.in });
    }
  }
  return [...byKey.values()];
}

function follow(document: JsonObject, raw: unknown): JsonObject | null {
  try {
    const target = resolveReference(document, raw, "");
    return isJsonObject(target) ? target : null;
  } catch {
    return null;
  }
}

function convertParameter(parameter: JsonObject): JsonObject {
  const { collectionFormat, type } = parameter;
  const isList = type === "array" && parameter.in !== "path" && parameter.in !== "header";
  const style = COLLECTIONS[String(collectionFormat)] ?? { style: "form", explode: false };
  return { ...withoutSchema(parameter), schema: schemaOf(parameter), ...(isList ? style : {}) };
}

function withoutSchema(parameter: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(parameter).filter(([key]) => !SCHEMA_KEYS.has(key)));
}

function schemaOf(parameter: JsonObject): JsonObject {
  const entries = Object.entries(parameter).filter(([key]) => SCHEMA_KEYS.has(key));
  const schema: JsonObject = Object.fromEntries(entries);
  return schema.type === "file" ? { ...schema, type: "string", format: "binary" } : schema;
}

function convertBody({ schema, required, description }: JsonObject, consumes: string[]): JsonObject {
  const types = consumes.length === 0 ? [JSON_TYPE] : consumes;
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  return { content, required: required === true, ...(typeof description === "string" ? { description } : {}) };
}

function convertForm(fields: readonly Declared[], consumes: string[]): JsonObject | null {
  if (fields.length === 0) return null;
  const properties: JsonObject = {};
  const encoding: JsonObject = {};
  const required: string[] = [];
  for (const { parameter } of fields) {
    if (!parameter || typeof parameter.name !== "string") continue;
    const { name, description, type, collectionFormat } = parameter;
    setOwn(properties, name, { ...schemaOf(parameter), ...(typeof description === "string" ? { description } : {}) });
    if (parameter.required === true) required.push(name);
    if (type === "array")
      setOwn(encoding, name, COLLECTIONS[String(collectionFormat)] ?? { style: "form", explode: false });
  }
  const hasFile = fields.some(({ parameter }) => parameter?.type === "file");
  const type = hasFile ? MULTIPART : (consumes.find((one) => one === FORM || one === MULTIPART) ?? FORM);
  const schema = { type: "object", properties, required };
  return { required: required.length > 0, content: { [type]: { schema, encoding } } };
}

function convertResponses(document: JsonObject, responses: unknown, produces: string[]): unknown {
  if (!isJsonObject(responses)) return responses;
  const converted: JsonObject = {};
  for (const [status, raw] of Object.entries(responses)) {
    const response = follow(document, raw);
    setOwn(converted, status, response ? convertResponse(response, produces) : raw);
  }
  return converted;
}

function convertResponse(response: JsonObject, produces: string[]): JsonObject {
  const { schema, headers: _, examples: _examples, ...rest } = response;
  if (schema === undefined) return rest;
  const types = produces.length === 0 ? [JSON_TYPE] : produces;
  return { ...rest, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function typesOf(own: unknown, general: unknown): string[] {
  const given = Array.isArray(own) ? own : Array.isArray(general) ? general : [];
  return given.filter((type): type is string => typeof type === "string").slice(0, TYPES_MAX);
}
