import { findConnector } from "#lib/connectors/registry";
import type { InboxDefinition } from "#lib/connectors/sdk/define-trigger";
import type { ListenerMode } from "#lib/contract/trigger/trigger";
import { isBreakerFailure } from "#lib/core/engine/circuit-breaker";
import { classifyError } from "#lib/core/engine/classify-error";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { findListened } from "#lib/domain/triggers/listeners/find-listened";
import { finishTurn, retryMs } from "#lib/domain/triggers/listeners/finish-turn";
import type { ClaimedListener } from "#lib/domain/triggers/listeners/listener";
import { openService } from "#lib/domain/triggers/listeners/open-service";
import { connectorWebhookUrl, isReachable } from "#lib/domain/triggers/webhooks/connector-webhook-url";
import { db } from "#lib/platform/db/pool";

/**
 * Updates the subscription at the service to what the triggers want: creates, changes or ends it. A failure is shown
 * and retried.
 * @returns whether there is more to do at once: the first poll
 */
export async function syncListener(listener: ClaimedListener, send: SendRequest): Promise<boolean> {
  const listened = await findListened(db(), listener);
  const events = [...new Set(listened.map(({ event }) => event))].sort();
  const inbox = findConnector(listener.connector)?.inbox;
  let mode = listener.mode ?? undefined;
  try {
    mode = await modeOf(listener, inbox, send);
    await endSubscription(listener, inbox, events.length === 0 || mode !== "webhook", send);
    if (events.length === 0) {
      await finishTurn(listener, { status: "off", events: [], state: null, cursor: null, error: null, nextMs: null });
      return false;
    }
    const state = mode === "webhook" ? await subscribe(listener, inbox, events, send) : null;
    const nextMs = mode === "polling" ? 0 : null;
    await finishTurn(listener, { status: "active", mode, events, state, error: null, nextMs });
    return mode === "polling";
  } catch (thrown) {
    const error = classifyError(thrown);
    // No trigger wants the subscription anymore, and a refusal now would be one tomorrow. A later call of the service
    // finds no listener.
    const isOver = events.length === 0 && !isBreakerFailure(error.code);
    if (isOver) {
      await finishTurn(listener, { status: "off", events: [], state: null, cursor: null, error: null, nextMs: null });
      return false;
    }
    await finishTurn(listener, {
      status: "failed",
      // Without a mode, the next attempt is still the first.
      ...(mode && listener.mode !== null ? { mode } : {}),
      error: error.message,
      nextMs: retryMs(listener.failures),
    });
    return false;
  }
}

/** Prefers calls by the service: they are sooner, and cost nothing while nothing happens. */
async function modeOf(
  listener: ClaimedListener,
  inbox: InboxDefinition | undefined,
  send: SendRequest,
): Promise<ListenerMode> {
  if (listener.subscriptionId !== null) return "polling";
  if (!inbox?.poll) return "webhook";
  if (!inbox.webhook || !isReachable()) return "polling";
  const { isPossible } = inbox.webhook;
  if (!isPossible) return "webhook";
  const { settings } = await openService(listener, send);
  return isPossible(settings) ? "webhook" : "polling";
}

async function subscribe(
  listener: ClaimedListener,
  inbox: InboxDefinition | undefined,
  events: readonly string[],
  send: SendRequest,
) {
  if (!inbox?.webhook) throw new Error(`${listener.connector} has no webhook for events`);
  const service = await openService(listener, send);
  const { secret, state } = listener;
  const isFirst = listener.mode === null;
  return inbox.webhook.subscribe(service, { url: connectorWebhookUrl(listener.id), secret, state, events, isFirst });
}

async function endSubscription(
  listener: ClaimedListener,
  inbox: InboxDefinition | undefined,
  isUnwanted: boolean,
  send: SendRequest,
): Promise<void> {
  const isSubscribed = listener.mode === "webhook" && listener.events.length > 0;
  if (!isUnwanted || !isSubscribed || !inbox?.webhook) return;
  const service = await openService(listener, send);
  const { secret, state } = listener;
  await inbox.webhook.unsubscribe(service, { url: connectorWebhookUrl(listener.id), secret, state });
}
