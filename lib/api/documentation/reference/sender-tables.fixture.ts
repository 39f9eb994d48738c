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

const SIGNATURES = { ed25519: "Ed25519", ecdsa: "ECDSA", rsa: "RSA" } as const;

function signatureWords(algorithm: string): string {
  const [family = "", ...rest] = algorithm.split("-");
  const name = SIGNATURES[family as keyof typeof SIGNATURES];
  const hash = rest.at(-1)?.replace("sha", "SHA-");
  return hash === undefined ? name : `${name}${rest.includes("pss") ? "-PSS" : ""} with ${hash}`;
}

function proofWords(verification: WebhookVerification): string {
  switch (verification.type) {
    case "hmac":
      return `HMAC-${verification.algorithm.toUpperCase()} of ${code(verification.signed)}`;
    case "public_key":
      return `${signatureWords(verification.algorithm)} of ${code(verification.signed)}`;
    case "certificate":
      return `certificate of the sender, over ${code(verification.signed)}`;
    case "jwt":
      return verification.body_claim === undefined
        ? `JSON Web Token (${verification.algorithm}), which does not cover the body`
        : `JSON Web Token (${verification.algorithm}) with the SHA-256 of the body`;
    case "token":
      return "the secret itself, which does not cover the body";
  }
}

function deliveryWords({ delivery_id: places = [] }: WebhookVerification): string {
  if (places === "whole_body") return "the whole body";
  if (places === "none") return "none";
  const names = places.map((place) => ("header" in place ? place.header : "body" in place ? place.body : place.query));
  const kind = places.some((place) => "body" in place) ? "body" : "header";
  return `${kind} ${codes(names)}`;
}
