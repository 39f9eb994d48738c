import { LIMITS } from "#lib/contract/limits";
import type { WebhookChallenge, WebhookVerification } from "#lib/contract/webhooks/verification";
import type { DeliveryValues } from "#lib/domain/triggers/verification/delivery";
import { fillTemplate } from "#lib/domain/triggers/verification/fill-template";
import { firstSecret } from "#lib/domain/triggers/verification/list-secrets";

/** The response to a request that is no event. */
export interface WebhookResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/**
 * Returns the response that a sender expects when it checks an address; null if the request is no such check.
 * @param isVerified whether the request has proved to be genuine; before, only those count that senders do not sign
 */
export function answerChallenge(
  { challenges }: WebhookVerification,
  values: DeliveryValues,
  { secret, isVerified }: { secret: string; isVerified: boolean },
): WebhookResponse | null {
  // A larger request is an event, and its body is not parsed before it has proved to be genuine.
  if (values.delivery.body.byteLength > LIMITS.challengeBytes) return null;
  const found = challenges.find((challenge) => challenge.is_signed === isVerified && isAsked(challenge, values));
  if (found === undefined) return null;
  const { status, text, json } = found.respond;
  const fill = (template: string) =>
    fillTemplate(template, { values, secret: firstSecret(secret), timestamp: null })?.join("") ?? "";
  if (status === 204) return { status, headers: {}, body: null };
  if (text !== undefined) return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: fill(text) };
  if (json === undefined) return { status, headers: {}, body: "" };
  const filled = Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, typeof value === "number" ? value : fill(value)]),
  );
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(filled) };
}

function isAsked({ method, when }: WebhookChallenge, values: DeliveryValues): boolean {
  if (method !== values.delivery.method) return false;
  const id = new URL(values.delivery.url).pathname.split("/").at(-1) ?? "";
  return when.every(({ at, equals }) => {
    const value = values.one(at);
    return value !== null && (equals === null || value === equals.replace("{id}", id));
  });
}
