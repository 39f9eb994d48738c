import type { GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { StepError } from "#lib/contract/step-error";
import { isBreakerFailure } from "#lib/engine/circuit-breaker";
import { classifyError } from "#lib/engine/classify-error";
import { LeaseLost } from "#lib/engine/lease-lost";
import type { PreparedNode, StepContext } from "#lib/engine/plan";
import type { ConnectorOperation } from "#lib/engine/ports";
import { resolveTemplate } from "#lib/expressions/resolve-template";
import { parseData } from "#lib/nodes/parse-data";

/** Calls one operation of a connector, through the connector's circuit breaker. */
export function prepareConnector(node: GraphNode, find: FindOperation): PreparedNode<JsonObject> {
  const { connector, operation, params } = parseData("connector", node);
  const found = find(connector, operation);
  if (!found) throw new StepError("VALIDATION_ERROR", `${node.id}: there is no operation ${connector}.${operation}`);
  return {
    hasSideEffects: true,
    resolveInput: (scope) => resolveTemplate(params, scope) as JsonObject,
    execute: (input, context) => call(connector, found, input, context),
    isIdempotent: (input) => found.isIdempotent(input),
  };
}

export type FindOperation = (connector: string, operation: string) => ConnectorOperation | null;

async function call(
  connector: string,
  operation: ConnectorOperation,
  params: JsonObject,
  context: StepContext,
): Promise<unknown> {
  const { breaker, send, now } = context.services;
  const pass = await breaker.admit(connector);
  try {
    const output = await operation.call(params, {
      signal: context.signal,
      idempotencyKey: context.idempotencyKey,
      traceparent: context.traceparent(),
      send,
      now,
    });
    await breaker.report(connector, pass, null);
    return output;
  } catch (thrown) {
    // Taken away, not failed: it says nothing about the integration.
    if (thrown instanceof LeaseLost) throw thrown;
    const error = classifyError(thrown);
    await breaker.report(connector, pass, isBreakerFailure(error.code) ? error : null);
    throw error;
  }
}
