import { isBreakerFailure } from "#lib/core/engine/circuit-breaker";
import { classifyError } from "#lib/core/engine/classify-error";
import { LeaseLost } from "#lib/core/engine/lease-lost";
import type { StepContext } from "#lib/core/engine/plan";
import type { ConnectorOperation, StepConnection } from "#lib/core/engine/ports";

interface OperationCall {
  /** The connector whose circuit breaker the call goes through. */
  connector: string;
  operation: ConnectorOperation;
  /** Parameters with all templates resolved. */
  params: unknown;
  connection: StepConnection | null;
}

/** Finds an operation of a connector; null if there is none. */
export type FindOperation = (connector: string, operation: string) => ConnectorOperation | null;

/** Calls one operation of a connector, through the connector's circuit breaker. */
export async function callThroughBreaker(call: OperationCall, context: StepContext): Promise<unknown> {
  const { connector, operation, params, connection } = call;
  const { breaker, compute, send, now } = context.services;
  const pass = await breaker.admit(connector);
  try {
    const output = await operation.call(params, {
      signal: context.signal,
      idempotencyKey: context.idempotencyKey,
      traceparent: context.traceparent(),
      send: connection?.send ?? send,
      connection,
      compute,
      now,
    });
    await breaker.report(connector, pass, null);
    return output;
  } catch (thrown) {
    // The worker lost its lease on the run. The call did not fail, so this says nothing about the integration.
    if (thrown instanceof LeaseLost) throw thrown;
    const error = classifyError(thrown);
    await breaker.report(connector, pass, isBreakerFailure(error.code) ? error : null);
    throw error;
  }
}
