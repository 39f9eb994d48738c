import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { env } from "#lib/platform/config/env";

let send: SendRequest | undefined;

/**
 * The outgoing HTTP client of a process that is not a worker: created on first use, kept for the life of the process.
 * @param workspaceId whose requests they are, unless the requests name it
 */
export function outgoingSend(workspaceId?: string): SendRequest {
  send ??= createOutgoingClient(parseOutboundAllow(env().OUTBOUND_ALLOW, env().TRACEPARENT_HOSTS)).send;
  const sendAny = send;
  return workspaceId === undefined ? sendAny : (request) => sendAny({ workspaceId, ...request });
}
