import { EVENT_LIMITS, type EventAttempt } from "#lib/contract/event/outbound-event";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import { sanitize } from "#lib/core/redaction/sanitize";
import type { ClaimedDelivery } from "#lib/domain/outbound-events/deliveries/claim-deliveries";
import { signEvent } from "#lib/domain/outbound-events/endpoints/signing-secret";
import { presentOutboundEvent } from "#lib/domain/outbound-events/present-event";
import { env } from "#lib/platform/config/env";

const ERROR_CHARACTERS = 300;

/** Sends one event to its endpoint. Only an answer of 2xx counts; a redirect is not followed. Never throws. */
export async function deliverWebhook(delivery: ClaimedDelivery, send: SendRequest): Promise<EventAttempt> {
  const startedAt = new Date();
  try {
    const response = await send({
      ...signedRequest(delivery, startedAt),
      workspaceId: delivery.workspace_id,
      signal: AbortSignal.timeout(EVENT_LIMITS.answerTimeoutMs),
      redirectsOnHost: 0,
    });
    const isTaken = response.status >= 200 && response.status < 300;
    return attemptOf(startedAt, response.status, isTaken ? null : `The endpoint answered ${response.status}.`);
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    const late = `No answer within ${EVENT_LIMITS.answerTimeoutMs / 1_000} s.`;
    return attemptOf(startedAt, null, isLate ? late : (error as Error).message);
  }
}

/** Also used for email: the start, the answer, and the error, which may repeat what was sent. */
export function attemptOf(startedAt: Date, status: number | null, error: string | null): EventAttempt {
  return {
    at: startedAt.toISOString(),
    status,
    latency_ms: Math.max(0, Date.now() - startedAt.getTime()),
    error: error === null ? null : sanitize(error).slice(0, ERROR_CHARACTERS),
  };
}

function signedRequest(delivery: ClaimedDelivery, now: Date) {
  const { workspace_id: workspaceId, endpoint_id: endpointId, url, secret_sealed: sealed } = delivery;
  if (url === null || sealed === null) throw new Error(`the endpoint ${endpointId} is not a webhook`);
  const event = { type: delivery.type, data: delivery.data, createdAt: delivery.created_at };
  const body = JSON.stringify(presentOutboundEvent(event, env().PUBLIC_BASE_URL));
  const signature = signEvent({ workspaceId, endpointId, sealed, id: delivery.event_id, now, body });
  const headers = { "content-type": "application/json", "user-agent": "signalbox", ...signature };
  return { method: "POST", url, headers, body };
}
