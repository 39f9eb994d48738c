import { INLINE_COMPUTE } from "#lib/connectors/inline-compute.fixture";
import { findOperation } from "#lib/connectors/registry";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { resolveParams } from "#lib/core/expressions/places/resolve-params";
import { templateBudget } from "#lib/core/expressions/template-budget";

/** A connection to a server on loopback, as operations see it. */
export interface VendorConnection {
  connector: string;
  settings: Record<string, string>;
  /** The headers that authenticate the connection's requests. */
  headers: Record<string, string>;
}

/** Resolves the templates of an operation's params, the way a step does. */
export function resolveFor(connector: string, operation: string, params: JsonObject, scope: JsonObject): JsonObject {
  const found = findOperation(connector, operation);
  if (!found) throw new Error(`there is no operation ${connector}.${operation}`);
  return resolveParams(params, found.textPlaces ?? {}, scope, templateBudget(), "params");
}

const client = createOutgoingClient(parseOutboundAllow("127.0.0.1"));

/** For tests without a database: returns the context in which operations call a vendor's server. */
export function serveVendor({ settings, headers }: VendorConnection): ServiceContext {
  const send: SendRequest = (request) => client.send({ ...request, headers: { ...request.headers, ...headers } });
  return { settings, send, signal: AbortSignal.timeout(10_000), now: () => new Date() };
}

/**
 * Calls an operation the way a step does.
 * @throws StepError
 */
export async function callVendor(
  connection: VendorConnection,
  operation: string,
  params: object,
  beforeSend: () => void = () => undefined,
): Promise<unknown> {
  const { connector } = connection;
  const found = findOperation(connector, operation);
  if (!found) throw new Error(`there is no operation ${connector}.${operation}`);
  const { settings, send: plain, signal, now } = serveVendor(connection);
  const send: SendRequest = (request) => {
    beforeSend();
    return plain(request);
  };
  return found.call(params, {
    connection: { id: "test", name: "Test", connector, settings, send },
    send,
    signal,
    now,
    idempotencyKey: "run:step:",
    traceparent: "00-0-0-00",
    compute: INLINE_COMPUTE,
  });
}
