import { code, codes, markdownTable } from "#lib/api/documentation/reference/markdown-table.fixture";
import type { WebhookSender } from "#lib/contract/webhooks/sender";
import { WEBHOOK_SENDERS } from "#lib/contract/webhooks/senders";
import { type WebhookVerification, webhookVerification } from "#lib/contract/webhooks/verification";

/** Returns the table of webhook senders that Signalbox knows. */
export function senderTable(): string {
  const senders: [string, WebhookSender][] = Object.entries(WEBHOOK_SENDERS);
  const rows = senders
    .toSorted(([, left], [, right]) => left.label.localeCompare(right.label, "en"))
    .map(([name, { label, secret, source, verification }]) => {
      const known = webhookVerification.parse(verification);
      const time = known.timestamp === undefined ? "no" : "yes";
      return [`[${label}](${source})`, code(name), secret, proofWords(known), time, deliveryWords(known)];
    });
  return markdownTable(["sender", "scheme", "secret", "proof", "signs a timestamp", "delivery id"], rows);
}

const SIGNATURES = { ed25519: "Ed25519", "ecdsa-sha256": "ECDSA with SHA-256" } as const;

function proofWords(verification: WebhookVerification): string {
  switch (verification.type) {
    case "hmac":
      return `HMAC-${verification.algorithm.toUpperCase()} of ${code(verification.signed)}`;
    case "public_key":
      return `${SIGNATURES[verification.algorithm]} of ${code(verification.signed)}`;
    case "certificate":
      return `certificate of the sender, over ${code(verification.signed)}`;
    case "jwt":
      return "JSON Web Token (HS256), which does not cover the body";
    case "token":
      return "the secret itself, which does not cover the body";
  }
}

function deliveryWords({ delivery_id: places = [] }: WebhookVerification): string {
  if (places === "whole_body") return "the whole body";
  const names = places.map((place) => ("header" in place ? place.header : "body" in place ? place.body : place.query));
  const kind = places.some((place) => "body" in place) ? "body" : "header";
  return `${kind} ${codes(names)}`;
}
