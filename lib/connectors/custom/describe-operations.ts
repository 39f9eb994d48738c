import type { CustomDefinition, CustomOperation } from "#lib/connectors/custom/custom-definition";
import { type ConnectorRoute, PARAMETER_PLACES, type ParameterPlace } from "#lib/contract/connector";
import type { DescribedOperation } from "#lib/contract/inputs/connector-inputs";
import type { JsonObject } from "#lib/contract/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

const JSON_TYPE = "application/json";

/**
 * Describes the operations of a connector as a person would by hand. A build from this description gives the same
 * operations.
 */
export function describeOperations({ operations }: CustomDefinition): DescribedOperation[] {
  return operations.map((operation) => {
    const { name, title, description, bodyType, paramsSchema, outputSchema } = operation;
    const body = getPath(paramsSchema, ["properties", "body"]);
    return {
      ...{ name, title, description, path: operation.path },
      method: operation.method.toUpperCase(),
      parameters: PARAMETER_PLACES.flatMap((place) => parametersOf(operation, place)),
      ...(bodyType === null || !isJsonObject(body) ? {} : { body, body_required: operation.required.includes("body") }),
      ...(bodyType === null || bodyType === JSON_TYPE ? {} : { body_type: bodyType }),
      ...(Object.keys(outputSchema).length === 0 ? {} : { output: outputSchema }),
    };
  });
}

function parametersOf({ paramsSchema, required }: CustomOperation, place: ParameterPlace): JsonObject[] {
  const properties = getPath(paramsSchema, ["properties", place, "properties"]);
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).map(([name, given]) => {
    const { description, ...schema } = isJsonObject(given) ? given : {};
    const words = typeof description === "string" ? { description } : {};
    return { name, in: place, required: required.includes(`${place}.${name}`), ...words, schema };
  });
}

/** Describes the operations briefly, as requests. */
export function listRoutes({ operations }: CustomDefinition): ConnectorRoute[] {
  return operations.map(({ name, title, description, method, path }) => {
    return { operation: name, name: title, description, method: method.toUpperCase(), path };
  });
}
