import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedNode, StepContext } from "#lib/core/engine/plan";
import type { StepConnection } from "#lib/core/engine/ports";
import { resolveParams } from "#lib/core/expressions/places/resolve-params";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { callThroughBreaker, type FindOperation } from "#lib/core/steps/call-operation";
import { connectorData } from "#lib/core/steps/connector/connector-data";
import { parseData } from "#lib/core/steps/parse-data";

/** Calls one operation of a connector, with the credentials of a connection if the node names one. */
export function prepareConnector(node: GraphNode, find: FindOperation): PreparedNode<JsonObject> {
  const { connector, operation: name, connection_id, params } = parseData(connectorData, node);
  const operation = find(connector, name, connection_id ?? null);
  if (!operation)
    throw new StepError("VALIDATION_ERROR", `${node.id}: the connector ${connector} has no operation ${name}`);
  return {
    resolveInput: (scope, _runInput, unresolved) =>
      resolveParams(params, operation.textPlaces ?? {}, scope, templateBudget(unresolved), "params"),
    execute: async (input, context) => {
      const connection = await open(connection_id, operation.connectionOf ?? connector, context);
      return callThroughBreaker(
        { connector, connectionId: connection_id ?? null, operation, params: input, connection },
        context,
      );
    },
    isIdempotent: (input) => operation.isIdempotent(input),
  };
}

/**
 * Opens the connection. Its id is part of the definition and never a template, so callers cannot choose the
 * credentials.
 */
async function open(
  id: string | null | undefined,
  connector: string,
  { services }: StepContext,
): Promise<StepConnection | null> {
  if (!id) return null;
  const connection = await services.connections.open(id);
  if (connection.connector === connector) return connection;
  const message = `connection_id: ${connection.name} is a connection to ${connection.connector}, not to ${connector}`;
  throw new StepError("VALIDATION_ERROR", message);
}
