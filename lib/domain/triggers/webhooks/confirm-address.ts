import { ApiError } from "#lib/contract/error/api-error";
import type { WebhookVerification } from "#lib/contract/webhooks/verification";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import type { DeliveryValues } from "#lib/domain/triggers/verification/delivery";
import type { WebhookResponse } from "#lib/domain/triggers/webhooks/answer-challenge";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

const TIMEOUT_MS = 5_000;

/**
 * Confirms a subscription if its sender asks for it, by calling the address that the verified request names. The address must
 * be the sender's, and no redirect is followed.
 * @returns null if the request does not ask for a confirmation
 * @throws ApiError SERVICE_UNAVAILABLE if the call fails: the sender asks again
 */
export async function confirmAddress(
  verification: WebhookVerification | null,
  values: DeliveryValues,
  send: SendRequest = (request) => outgoingSend()(request),
): Promise<WebhookResponse | null> {
  if (verification?.type !== "certificate" || verification.confirmation === undefined) return null;
  const { when, address, matches } = verification.confirmation;
  if (!when.every(({ at, equals }) => values.one(at) === equals)) return null;
  const url = values.one(address);
  if (url === null || !new RegExp(`^${matches}$`).test(url)) return null;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await send({ method: "GET", url, headers: {}, signal, redirectsOnHost: 0 }).catch(() => null);
  if (answer === null || answer.status >= 300) {
    const message = "The subscription could not be confirmed. Send the request again.";
    throw new ApiError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: 5 });
  }
  return { status: 200, headers: {}, body: "" };
}
