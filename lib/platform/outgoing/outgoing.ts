import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { env } from "#lib/platform/config/env";

let send: SendRequest | undefined;

/** The way out of a process that is no worker: made when it is first needed, kept for the life of the process. */
export function outgoingSend(): SendRequest {
  send ??= createOutgoingClient(parseOutboundAllow(env().OUTBOUND_ALLOW)).send;
  return send;
}
