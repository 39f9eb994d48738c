import { env } from "#lib/config/env";
import { parseOutboundAllow } from "#lib/connectors/outbound-policy";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import type { SendRequest } from "#lib/engine/outgoing-request";

let send: SendRequest | undefined;

/** The way out of a process that is no worker: made when it is first needed, kept for the life of the process. */
export function outgoingSend(): SendRequest {
  send ??= createOutgoingClient(parseOutboundAllow(env().OUTBOUND_ALLOW)).send;
  return send;
}
