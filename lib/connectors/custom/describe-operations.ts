import type { CustomDefinition, CustomOperation } from "#lib/connectors/custom/custom-definition";
import { splitBody } from "#lib/connectors/custom/wire/choose-body";
import { formField, type WireParameter, wireParameter } from "#lib/connectors/custom/wire/wire-parameter";
import { type ConnectorRoute, PARAMETER_PLACES, type ParameterPlace } from "#lib/contract/connector/connector";
import type { DescribedOperation } from "#lib/contract/connector/connector-inputs";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

const JSON_TYPE = "application/json";

/**
 * Describes the operations of a connector as a person would by hand. A build from this description gives the same
 * operations.
 */
export function describeOperations({ operations }: CustomDefinition): DescribedOperation[] {
  return operations.map((operation) => {
    const { name, title, description, bodyType, outputSchema, upload, wire = [] } = operation;
    const { schema, upload: uploadSchema } = splitBody(operation);
    return {
      name,
      title,
      description,
      path: operation.path,
      method: operation.method.toUpperCase(),
      parameters: PARAMETER_PLACES.flatMap((place) => parametersOf(operation, place)),
      ...(bodyType === null ? {} : { body: schema, body_required: operation.required.includes("body") }),
      ...(bodyType === null || bodyType === JSON_TYPE ? {} : { body_type: bodyType }),
      ...withEncoding("body_encoding", wire),
      ...(upload && uploadSchema
        ? { upload: { type: upload.type, schema: uploadSchema, ...withEncoding("encoding", upload.wire) } }
        : {}),
      ...(operation.server === undefined ? {} : { server: operation.server }),
      ...(Object.keys(outputSchema).length === 0 ? {} : { output: outputSchema }),
    };
  });
}

function parametersOf({ paramsSchema, required, wire = [] }: CustomOperation, place: ParameterPlace): JsonObject[] {
  const properties = getPath(paramsSchema, ["properties", place, "properties"]);
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).map(([name, given]) => {
    const { description, ...schema } = isJsonObject(given) ? given : {};
    const words = typeof description === "string" ? { description } : {};
    const row = wire.find((known) => known.in === place && known.name === name);
    const value = row?.content === undefined ? { schema } : { content: { [row.content]: { schema } } };
    const keywords = row ? keywordsOf(row) : {};
    return { name, in: place, required: required.includes(`${place}.${name}`), ...words, ...keywords, ...value };
  });
}

/** Returns the keywords that differ from the defaults of OpenAPI. */
function keywordsOf(row: WireParameter): JsonObject {
  const { style, explode } = wireParameter(row.in, row.name);
  return {
    ...(row.style === style ? {} : { style: row.style }),
    ...(row.explode === explode && row.style === style ? {} : { explode: row.explode }),
    ...(row.allowReserved ? { allowReserved: true } : {}),
    ...(row.allowEmpty ? { allowEmptyValue: true } : {}),
  };
}

function withEncoding<Key extends string>(key: Key, wire: readonly WireParameter[]): { [name in Key]?: JsonObject } {
  const plain = formField("").content;
  const entries = wire.flatMap((row): [string, JsonObject][] => {
    if (row.in !== "body" || row.content === plain) return [];
    if (row.content !== undefined) return [[row.name, { contentType: row.content }]];
    return [
      [row.name, { style: row.style, explode: row.explode, ...(row.allowReserved ? { allowReserved: true } : {}) }],
    ];
  });
  const encoding: { [name in Key]?: JsonObject } = {};
  if (entries.length > 0) encoding[key] = Object.fromEntries(entries);
  return encoding;
}

/** Describes the operations briefly, as requests. */
export function listRoutes({ operations }: CustomDefinition): ConnectorRoute[] {
  return operations.map(({ name, title, description, method, path }) => {
    return { operation: name, name: title, description, method: method.toUpperCase(), path };
  });
}
