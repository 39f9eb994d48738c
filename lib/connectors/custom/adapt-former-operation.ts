import type { CustomOperation } from "#lib/connectors/custom/custom-definition";
import { FORM_TYPE } from "#lib/connectors/custom/wire/body-kind";
import type { WiredOperation } from "#lib/connectors/custom/wire/build-request";
import { wireParameter } from "#lib/connectors/custom/wire/wire-parameter";
import { PARAMETER_PLACES } from "#lib/contract/connector";
import type { JsonObject } from "#lib/contract/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

/**
 * Completes an operation that was built before operations had a table. Published versions keep the connector they were
 * published with, so their requests stay as they were: every parameter has the default style.
 */
export function adaptFormerOperation(operation: CustomOperation): WiredOperation {
  const wire = PARAMETER_PLACES.flatMap((place) => {
    const properties = getPath(operation.paramsSchema, ["properties", place, "properties"]);
    return isJsonObject(properties) ? Object.keys(properties).map((name) => wireParameter(place, name)) : [];
  });
  return { ...operation, wire };
}

/** Writes objects of queries and headers, and objects and lists of forms, as JSON, and leaves empty form fields out. */
export function adaptFormerParams({ bodyType }: CustomOperation, params: unknown): JsonObject {
  const given = isJsonObject(params) ? params : {};
  const { body } = given;
  return {
    ...given,
    ...Object.fromEntries((["query", "header"] as const).map((place) => [place, withJson(given[place])])),
    ...(bodyType === FORM_TYPE ? { body: formOf(body) } : {}),
  };
}

function withJson(values: unknown): JsonObject {
  const entries = Object.entries(isJsonObject(values) ? values : {});
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isJsonObject(value) ? JSON.stringify(value) : value]),
  );
}

function formOf(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  const fields = Object.entries(body).filter(([, value]) => value !== null && value !== "");
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : value]),
  );
}
