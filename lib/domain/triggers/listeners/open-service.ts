import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { openConnection } from "#lib/domain/connections/open-connection";
import type { Listener } from "#lib/domain/triggers/listeners/listener";
import type { NoteLongNumber } from "#lib/support/exact-json";

/** The limit for all requests of one turn together; shorter than a claim. */
const TURN_TIMEOUT_MS = 40_000;

/**
 * Opens the service of a listener's connection, with its credentials behind `send`.
 * @param onLongNumber called with each number of its responses that becomes a text
 * @throws StepError
 */
export async function openService(
  { workspaceId, connectionId }: Pick<Listener, "workspaceId" | "connectionId">,
  send: SendRequest,
  onLongNumber?: NoteLongNumber,
): Promise<ServiceContext> {
  const { settings, send: signed } = await openConnection(workspaceId, connectionId, send);
  const noting: SendRequest = async (request) => ({ ...(await signed(request)), onLongNumber });
  const signal = AbortSignal.timeout(TURN_TIMEOUT_MS);
  return { settings, send: onLongNumber ? noting : signed, signal, now: () => new Date() };
}
