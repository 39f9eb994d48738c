import { findOperationSchema } from "#lib/connectors/describe-connectors";
import { findConnector } from "#lib/connectors/registry";
import { type OptionsLoader, pageOptions } from "#lib/connectors/sdk/page-options";
import { type FieldOptionsPage, type OptionSource, readOptionSource } from "#lib/contract/action/field-options";
import { ApiError } from "#lib/contract/error/api-error";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getResolvedConnection } from "#lib/domain/connections/get-resolved-connection";
import { probeOfConnection } from "#lib/domain/connections/try-credentials";
import { connectorNotFound, operationNotFound } from "#lib/domain/custom-connectors/get-custom-connector";
import { isJsonObject } from "#lib/support/json";

interface OptionsRequest {
  workspaceId: string;
  connectionId: string;
  connector: string;
  /** An operation of the connector, or a trigger. */
  operation: string;
  /** The name of one of its params. */
  field: string;
  /** The params that have been filled in so far. */
  params: JsonObject;
  query: string;
  cursor: string | null;
}

/**
 * Lists the current choices of a field from the connection's service, for a person who fills it in and waits (10 s).
 * @throws ApiError NOT_FOUND, BAD_REQUEST (no choices, or a field that they depend on is missing),
 * CONNECTION_TEST_FAILED in the service's words if the service refuses
 */
export async function listFieldOptions(request: OptionsRequest): Promise<FieldOptionsPage> {
  const { workspaceId, connectionId, connector, query, cursor } = request;
  const { load, params } = readRequest(request);
  const connection = await getResolvedConnection(workspaceId, connectionId);
  if (connection.connector !== connector) {
    throw new ApiError("BAD_REQUEST", "connection_id: the connection belongs to another connector");
  }
  try {
    return await pageOptions(load, probeOfConnection(connection), { params, query, cursor });
  } catch (error) {
    if (error instanceof StepError) throw new ApiError("CONNECTION_TEST_FAILED", wordsOf(error), { cause: error });
    throw error;
  }
}

/** Builds the error for a field without choices, of any connector, custom ones included. */
export function noChoices(field: string): ApiError {
  return new ApiError("BAD_REQUEST", `field: ${field} has no choices to list`);
}

function readRequest({ connector, operation, field, params: given }: OptionsRequest) {
  const definition = findConnector(connector);
  if (!definition) throw connectorNotFound(connector);
  const schema = findOperationSchema(connector, operation)?.params_schema;
  if (!schema) throw operationNotFound(connector, operation, Object.keys(definition.operations));
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const source = Object.hasOwn(properties, field) ? readOptionSource(properties[field]) : null;
  const load = source && findLoader(definition.options ?? {}, source);
  if (!source || !load) throw noChoices(field);
  const params = valuesOf(source, given);
  const missing = source.requires.find((name) => params[name] === undefined);
  if (missing)
    throw new ApiError("BAD_REQUEST", `params.${missing}: choose a value first. It cannot be an expression.`);
  return { load, params };
}

function findLoader(loaders: Readonly<Record<string, OptionsLoader>>, { from }: OptionSource): OptionsLoader | null {
  return (Object.hasOwn(loaders, from) && loaders[from]) || null;
}

/**
 * Returns the fields that the choices depend on, as far as they have a value; the value of an expression is not known
 * yet.
 */
function valuesOf({ depends_on: names }: OptionSource, given: JsonObject): Record<string, string> {
  const entries = names.flatMap((name) => {
    const value = given[name];
    const isPlain = typeof value === "number" || (typeof value === "string" && value !== "" && !value.includes("{{"));
    return isPlain ? [[name, String(value)]] : [];
  });
  return Object.fromEntries(entries);
}

function wordsOf({ code, message }: StepError): string {
  return code === "AUTH_EXPIRED" ? `The service no longer accepts the connection. Reconnect it. (${message})` : message;
}
