import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { openConnection } from "#lib/domain/connections/open-connection";
import type { Listener } from "#lib/domain/triggers/listeners/listener";

/** The limit for all requests of one turn together; shorter than a claim. */
const TURN_TIMEOUT_MS = 40_000;

/**
 * Opens the service of a listener's connection, with its credentials behind `send`.
 * @throws StepError
 */
export async function openService(
  { workspaceId, connectionId }: Pick<Listener, "workspaceId" | "connectionId">,
  send: SendRequest,
): Promise<ServiceContext> {
  const { settings, send: signed } = await openConnection(workspaceId, connectionId, send);
  return { settings, send: signed, signal: AbortSignal.timeout(TURN_TIMEOUT_MS), now: () => new Date() };
}
