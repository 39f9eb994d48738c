import { createHash } from "node:crypto";
import type { WebhookVerification } from "#lib/contract/webhooks/verification";
import { readContentType } from "#lib/core/input/content-type";
import { type Delivery, valuesOf } from "#lib/domain/triggers/verification/delivery";

/** Headers in which senders number their deliveries, the standard one first. */
const ID_HEADERS = ["webhook-id", "x-github-delivery", "x-webhook-id", "idempotency-key"];
/** Longer ids are compared by their digest. */
const MAX_LENGTH = 200;

/** What identifies a delivery: the trigger's own rule, or else that of its sender. */
export interface DeliveryIdRule {
  places: WebhookVerification["delivery_id"] | null;
  /** Whether someone has proved to be the sender. Anyone else may mean the same body as another event. */
  isSigned: boolean;
}

/**
 * Returns what identifies a repeated delivery (decisions, Inbound webhooks: delivery id), or null if nothing does. The whole
 * body is the last resort: senders without an id repeat its bytes, with the times and ids in it.
 * @param inBody the texts at the paths that `bodyIdPaths` returns
 */
export function deliveryId(
  { places, isSigned }: DeliveryIdRule,
  delivery: Delivery,
  inBody: readonly string[],
): string | null {
  if (places === "none") return null;
  if (places === "whole_body") return bodyDigest(delivery);
  const { headers } = delivery;
  const values = valuesOf(delivery);
  const found = [...(places ?? []).flatMap((place) => ("body" in place ? [] : values.all(place))), ...inBody];
  // Senders leave the field of an id empty, too: then nothing identifies the event, and it must not equal another one.
  const isNamed = found.some((value) => value !== "");
  const id = isNamed ? found.join("|") : (ID_HEADERS.map((name) => headers.get(name)).find(Boolean) ?? null);
  if (id === null) return isSigned && !saysNothing(delivery) ? bodyDigest(delivery) : null;
  return id.length <= MAX_LENGTH ? id : digest(id);
}

/** Returns where the body has the delivery's id, for senders that number the event there. */
export function bodyIdPaths({ places }: DeliveryIdRule): string[] {
  return typeof places === "string" ? [] : (places ?? []).flatMap((place) => ("body" in place ? [place.body] : []));
}

/** A signal without content, such as that of a button, is the same each time. */
function saysNothing({ body }: Delivery): boolean {
  return body.byteLength <= 16 && /^\s*(?:\{\s*\}|\[\s*\]|null|"")?\s*$/.test(body.toString("latin1"));
}

/** The boundary of a multipart form is another one in each attempt. */
function bodyDigest({ headers, body }: Delivery): string {
  const { type, boundary } = readContentType(headers.get("content-type"));
  if (!type.startsWith("multipart/") || boundary === null) return digest(body);
  return digest(Buffer.from(body.toString("latin1").replaceAll(boundary, ""), "latin1"));
}

function digest(bytes: Buffer | string): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
