import { createHash } from "node:crypto";
import type { WebhookVerification } from "#lib/contract/webhooks/verification";
import { type Delivery, valuesOf } from "#lib/domain/triggers/verification/delivery";

/** Headers in which senders number their deliveries, the standard one first. */
const ID_HEADERS = ["webhook-id", "x-github-delivery", "x-webhook-id", "idempotency-key"];
/** Longer ids are compared by their digest. */
const MAX_LENGTH = 200;

/**
 * Returns what identifies a repeated delivery (decisions, Inbound webhooks), or null if the sender gives no id.
 * @param inBody the texts at the paths that `bodyIdPaths` returns
 */
export function deliveryId(
  verification: WebhookVerification | null,
  delivery: Delivery,
  inBody: readonly string[],
): string | null {
  const { headers, body } = delivery;
  const places = verification?.delivery_id ?? [];
  if (places === "whole_body") return digest(body);
  const values = valuesOf(delivery);
  const found = [...places.flatMap((place) => ("body" in place ? [] : values.all(place))), ...inBody];
  const id = found.length > 0 ? found.join("|") : (ID_HEADERS.map((name) => headers.get(name)).find(Boolean) ?? null);
  return id === null || id.length <= MAX_LENGTH ? id : digest(id);
}

/** Returns where the body has the delivery's id, for senders that number the event there. */
export function bodyIdPaths(verification: WebhookVerification | null): string[] {
  const places = verification?.delivery_id ?? [];
  return places === "whole_body" ? [] : places.flatMap((place) => ("body" in place ? [place.body] : []));
}

function digest(bytes: Buffer | string): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
