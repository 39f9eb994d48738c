import { createHash } from "node:crypto";
import { isJsonObject } from "#lib/support/json";

/** Headers in which senders number their deliveries, the standard one first. */
const ID_HEADERS = ["webhook-id", "x-github-delivery", "x-webhook-id", "idempotency-key"];
/** Longer ids are compared by their digest. */
const MAX_LENGTH = 200;

/**
 * Returns what identifies a repeated delivery (decisions, Inbound webhooks), or null if the sender gives no id. Stripe
 * and Slack number the event in the body, which their signature covers.
 */
export function deliveryId(headers: Headers, body: unknown): string | null {
  const id = idInBody(headers, body) ?? ID_HEADERS.map((name) => headers.get(name)).find(Boolean) ?? null;
  if (id === null || id.length <= MAX_LENGTH) return id;
  return `sha256:${createHash("sha256").update(id).digest("hex")}`;
}

function idInBody(headers: Headers, body: unknown): string | null {
  if (!isJsonObject(body)) return null;
  const id = headers.has("stripe-signature") ? body.id : headers.has("x-slack-signature") ? body.event_id : null;
  return typeof id === "string" && id !== "" ? id : null;
}
