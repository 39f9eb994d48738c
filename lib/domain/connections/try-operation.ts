import { customOperation } from "#lib/connectors/custom/call-custom";
import type { CustomDefinition } from "#lib/connectors/custom/custom-definition";
import { findConnector, findOperation } from "#lib/connectors/registry";
import type { TriedOperation } from "#lib/contract/connector/connector";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { classifyError } from "#lib/core/engine/classify-error";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import type { ConnectorOperation } from "#lib/core/engine/ports";
import { attemptTraceparent } from "#lib/core/engine/run-trace";
import { sanitize } from "#lib/core/redaction/sanitize";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getConnectionRow } from "#lib/domain/connections/get-connection";
import { openConnection } from "#lib/domain/connections/open-connection";
import { findConnectorDefinition } from "#lib/domain/custom-connectors/find-connector-definition";
import { connectorNotFound, operationNotFound } from "#lib/domain/custom-connectors/get-custom-connector";
import { computeFor } from "#lib/platform/compute/compute-for";
import { db } from "#lib/platform/db/pool";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";
import { uuidv7 } from "#lib/support/ids";
import { exceedsJsonBytes } from "#lib/support/json-text/measure-json";

interface TryRequest {
  workspaceId: string;
  actor: Actor;
  connector: string;
  operation: string;
  connectionId: string | null;
  params: JsonObject;
}

/**
 * Calls one operation for a person who wants to see what it does, in the same way as a step: through the same guard,
 * with the connection's credentials for permitted hosts, within a step's limits of time and size. It ignores the
 * circuit breaker: what a person tries says nothing about what workflows experience, and people try operations when the
 * breaker is open.
 * @returns the requests and the outcome, redacted; a failure is an outcome
 * @throws ApiError NOT_FOUND for an unknown connector, operation or connection
 */
export async function tryOperation(request: TryRequest): Promise<TriedOperation> {
  const operation = await getOperation(request);
  if (request.connectionId !== null) await getConnectionRow(db(), request.workspaceId, request.connectionId);
  const requests: TriedOperation["requests"] = [];
  const startedMs = performance.now();
  const ended = await call(request, operation, requests).then(
    (output): Pick<TriedOperation, "outcome" | "output" | "error"> => ({ outcome: "succeeded", output, error: null }),
    (thrown: unknown) => {
      const { code, reason, message } = classifyError(thrown);
      return { outcome: "failed" as const, output: null, error: { code, reason, message } };
    },
  );
  const { workspaceId, actor, connector } = request;
  const details = { connector, operation: request.operation, outcome: ended.outcome };
  const action = "connector.operation_tested";
  await recordAudit(db(), { workspaceId, actor, action, objectType: "connector", objectId: connector, details });
  return sanitize({ ...ended, requests, duration_ms: Math.round(performance.now() - startedMs) });
}

async function getOperation({ workspaceId, connector, operation: name }: TryRequest): Promise<ConnectorOperation> {
  const own = findConnector(connector);
  if (own) {
    const builtIn = findOperation(connector, name);
    if (!builtIn) throw operationNotFound(connector, name, Object.keys(own.operations));
    return builtIn;
  }
  const stored = await findConnectorDefinition(workspaceId, connector);
  if (!stored) throw connectorNotFound(connector);
  const definition = JSON.parse(stored.json) as CustomDefinition;
  const operation = definition.operations.find((item) => item.name === name);
  if (!operation)
    throw operationNotFound(
      connector,
      name,
      definition.operations.map((item) => item.name),
    );
  return customOperation(definition, operation);
}

async function call(
  { workspaceId, connector, connectionId, params }: TryRequest,
  operation: ConnectorOperation,
  requests: TriedOperation["requests"],
): Promise<unknown> {
  const send = outgoingSend(workspaceId);
  const connection = connectionId === null ? null : await openConnection(workspaceId, connectionId, send);
  if (connection && connection.connector !== (operation.connectionOf ?? connector)) {
    throw new StepError("connection_missing", "connection_id: the connection belongs to another connector");
  }
  const noted = noting(connection?.send ?? send, requests, performance.now());
  const signal = AbortSignal.timeout(LIMITS.stepTimeoutMs);
  try {
    const output = await operation.call(params, {
      signal,
      idempotencyKey: uuidv7(),
      traceparent: attemptTraceparent(null, { runId: uuidv7(), nodeId: "try", iteration: "" }, 1),
      send: noted,
      connection: connection && { ...connection, send: noted },
      compute: computeFor(workspaceId),
      now: () => new Date(),
    });
    if (!exceedsJsonBytes(output, LIMITS.stepOutputBytes)) return output;
    throw new StepError("data_too_large", `its output is larger than ${LIMITS.stepOutputBytes / 1_048_576} MiB`);
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    throw new StepError("step_time_limit", `no answer within ${LIMITS.stepTimeoutMs / 1_000} s`, { cause: thrown });
  }
}

/** Records outgoing requests before the client attaches credentials, so that they contain none. */
function noting(send: SendRequest, requests: TriedOperation["requests"], beganMs: number): SendRequest {
  return async (request) => {
    const startedMs = performance.now();
    const line: TriedOperation["requests"][number] = {
      method: request.method,
      url: request.url,
      status: null,
      after_ms: Math.round(startedMs - beganMs),
      duration_ms: 0,
    };
    requests.push(line);
    try {
      const response = await send(request);
      line.status = response.status;
      return response;
    } finally {
      line.duration_ms = Math.round(performance.now() - startedMs);
    }
  };
}
