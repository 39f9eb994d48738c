import { createHash } from "node:crypto";

/** Headers in which senders number their deliveries, the standard one first. */
const ID_HEADERS = ["webhook-id", "x-github-delivery", "x-webhook-id", "idempotency-key"];
/** Longer ids are compared by their digest. */
const MAX_LENGTH = 200;

/**
 * Returns what identifies a repeated delivery (decisions, Inbound webhooks), or null if the sender gives no id.
 * @param idInBody the text in the field that `bodyIdField` names
 */
export function deliveryId(headers: Headers, idInBody: string | null): string | null {
  const id = idInBody ?? ID_HEADERS.map((name) => headers.get(name)).find(Boolean) ?? null;
  if (id === null || id.length <= MAX_LENGTH) return id;
  return `sha256:${createHash("sha256").update(id).digest("hex")}`;
}

/** Stripe and Slack number the event in the body, which their signature covers. */
export function bodyIdField(headers: Headers): string | null {
  if (headers.has("stripe-signature")) return "id";
  return headers.has("x-slack-signature") ? "event_id" : null;
}
