import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { env } from "#lib/platform/config/env";

let send: SendRequest | undefined;

/**
 * The outgoing HTTP client of a process that is not a worker: created on first use, kept for the life of the process.
 */
export function outgoingSend(): SendRequest {
  send ??= createOutgoingClient(parseOutboundAllow(env().OUTBOUND_ALLOW)).send;
  return send;
}
