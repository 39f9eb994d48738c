import { classifyError } from "#lib/core/engine/classify-error";
import { LeaseLost } from "#lib/core/engine/lease-lost";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import type { StepContext } from "#lib/core/engine/plan";
import type { ConnectorOperation, StepConnection } from "#lib/core/engine/ports";
import { addUnresolved, numberAsText } from "#lib/core/expressions/unresolved-path";
import { writePath } from "#lib/core/expressions/write-expression";
import { guardDestinations } from "#lib/core/steps/guard-destinations";
import type { PathInJson } from "#lib/support/exact-json";

interface OperationCall {
  connector: string;
  connectionId: string | null;
  operation: ConnectorOperation;
  /** Parameters with all templates resolved. */
  params: unknown;
  connection: StepConnection | null;
}

/**
 * Finds an operation of a connector; null if there is none. The connection matters for a connector whose operations are
 * what its server offers.
 */
export type FindOperation = (
  connector: string,
  operation: string,
  connectionId: string | null,
) => ConnectorOperation | null;

/** Makes a warning of each number in a response that becomes a text. */
function notingNumbers(send: SendRequest, noteNumber: NoteNumber): SendRequest {
  const onLongNumber = (path: PathInJson) => noteNumber("response", path);
  return async (request) => ({ ...(await send(request)), onLongNumber });
}

type NoteNumber = (field: string, path: PathInJson) => void;

/** Calls one operation of a connector, through the circuit breakers of where it goes. */
export async function callThroughBreaker(call: OperationCall, context: StepContext): Promise<unknown> {
  const { operation, params, connection } = call;
  const { compute, now } = context.services;
  const guard = guardDestinations({ connector: call.connector, connectionId: call.connectionId }, context);
  const noteNumber: NoteNumber = (field, path) =>
    addUnresolved(context.unresolved, numberAsText(field, writePath(field, path)));
  const send = notingNumbers(connection?.send ?? context.services.send, noteNumber);
  const guardedSend: SendRequest = (request) => send({ ...request, onHop: ({ origin }) => guard.enter(origin) });
  try {
    if (operation.isPerOrigin !== true) await guard.enter(null);
    const output = await operation.call(params, {
      signal: context.signal,
      idempotencyKey: context.idempotencyKey,
      traceparent: context.traceparent(),
      send: operation.isPerOrigin === true ? guardedSend : send,
      connection: connection && { ...connection, send },
      compute,
      now,
      noteNumber,
    });
    await guard.leave(null);
    return output;
  } catch (thrown) {
    // The worker lost its lease on the run. The call did not fail, so this says nothing about the integration.
    if (thrown instanceof LeaseLost) throw thrown;
    const error = classifyError(thrown);
    await guard.leave(error);
    throw error;
  }
}
