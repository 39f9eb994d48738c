import { endpointOf } from "#lib/connectors/own-endpoints";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { type OutboundPolicy, type OwnEndpoint, parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { env } from "#lib/platform/config/env";

const POSTGRESQL_PORT = 5432;

/** Returns what outgoing calls may reach, by the environment. */
export function outboundPolicy(): OutboundPolicy {
  const { OUTBOUND_ALLOW, TRACEPARENT_HOSTS } = env();
  return parseOutboundAllow(OUTBOUND_ALLOW, TRACEPARENT_HOSTS, ownEndpoints());
}

/** Lists every port that the instance listens on: workers have none. A database on another machine is not less its own. */
function ownEndpoints(): OwnEndpoint[] {
  const { PORT, DATABASE_URL, DATABASE_URL_DIRECT } = env();
  const databases = [DATABASE_URL, DATABASE_URL_DIRECT].map((url) => endpointOf(url, POSTGRESQL_PORT));
  return [{ host: "127.0.0.1", port: PORT }, ...databases.filter((endpoint) => endpoint !== null)];
}

let send: SendRequest | undefined;

/**
 * The outgoing HTTP client of a process that is not a worker: created on first use, kept for the life of the process.
 * @param workspaceId whose requests they are, unless the requests name it
 */
export function outgoingSend(workspaceId?: string): SendRequest {
  send ??= createOutgoingClient(outboundPolicy()).send;
  const sendAny = send;
  return workspaceId === undefined ? sendAny : (request) => sendAny({ workspaceId, ...request });
}
