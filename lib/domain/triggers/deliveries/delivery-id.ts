import { createHash } from "node:crypto";
import { isJsonObject } from "#lib/support/json";

/** Headers in which senders number their deliveries, the standard's first. */
const ID_HEADERS = ["webhook-id", "x-github-delivery", "x-webhook-id", "idempotency-key"];
/** Longer ones are recognised by their digest. */
const MAX_LENGTH = 200;

/**
 * What a repeated delivery is recognised by (decisions, Inbound webhooks); null where the sender says nothing. Stripe
 * and Slack number the event in the body, beside the signature of theirs.
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
