import { INLINE_COMPUTE } from "#lib/connectors/inline-compute.fixture";
import { findOperation } from "#lib/connectors/registry";
import { openConnection } from "#lib/domain/connections/open-connection";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

/**
 * For tests: calls an operation with a connection, the way a step does.
 * @throws StepError
 */
export async function callAs(
  workspaceId: string,
  connectionId: string,
  connector: string,
  operation: string,
  params: object,
): Promise<unknown> {
  const found = findOperation(connector, operation);
  if (!found) throw new Error(`there is no operation ${connector}.${operation}`);
  const connection = await openConnection(workspaceId, connectionId, outgoingSend());
  return found.call(params, {
    connection,
    send: connection.send,
    signal: AbortSignal.timeout(10_000),
    idempotencyKey: "run:step:",
    traceparent: "00-0-0-00",
    compute: INLINE_COMPUTE,
    now: () => new Date(),
  });
}
