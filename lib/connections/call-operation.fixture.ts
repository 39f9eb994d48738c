import { openConnection } from "#lib/connections/open-connection";
import { outgoingSend } from "#lib/connections/outgoing";
import { findOperation } from "#lib/connectors/registry";
import type { JsonObject } from "#lib/contract/json-schema";

interface CalledOperation {
  workspaceId: string;
  connectionId: string;
  operation: string;
  params: JsonObject;
}

/** For tests: an operation as a step calls it, through a connection that is stored. @throws StepError */
export async function callOperation({
  workspaceId,
  connectionId,
  operation,
  params,
}: CalledOperation): Promise<unknown> {
  const connection = await openConnection(workspaceId, connectionId, outgoingSend());
  const found = findOperation(connection.connector, operation);
  if (!found) throw new Error(`${connection.connector} has no operation ${operation}`);
  return found.call(params, {
    connection,
    send: outgoingSend(),
    signal: AbortSignal.timeout(5_000),
    now: () => new Date(),
    idempotencyKey: "run:step:",
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  });
}
