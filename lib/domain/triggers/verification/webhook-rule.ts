import type { WebhookHandshake, WebhookSender } from "#lib/contract/webhooks/sender";
import { WEBHOOK_SENDERS, type WebhookSenderName } from "#lib/contract/webhooks/senders";
import { type WebhookVerification, webhookVerification } from "#lib/contract/webhooks/verification";
import type { WebhookConfig } from "#lib/core/steps/trigger/trigger-data";

/** How the sender of a webhook proves itself. */
export interface WebhookRule extends Omit<WebhookConfig, "kind" | "secret"> {
  /** Set for the scheme `custom`. */
  verification?: WebhookVerification;
}

export type ChosenScheme = Exclude<WebhookConfig["scheme"], "auto">;

const GENERIC_HEADER = "x-webhook-signature";
/** Those with a timestamp come first: a request that carries two signatures must not choose the weaker one. */
const DETECTED = ["standard", "stripe", "slack", "github"] as const satisfies WebhookSenderName[];

const SENDERS = new Map<ChosenScheme, WebhookSender>(
  Object.entries(WEBHOOK_SENDERS).map(([name, sender]) => [name as WebhookSenderName, sender]),
);
const KNOWN = new Map([...SENDERS].map(([name, sender]) => [name, webhookVerification.parse(sender.verification)]));

/** Returns the scheme of a request, and how it is verified; null if no scheme was chosen and the request has none. */
export function findVerification(
  rule: WebhookRule,
  headers: Headers,
): { scheme: ChosenScheme; verification: WebhookVerification } | null {
  const scheme = rule.scheme === "auto" ? detectScheme(rule, headers) : rule.scheme;
  const verification = scheme && verificationOf(rule, scheme);
  return scheme && verification && { scheme, verification };
}

/** Returns how deliveries are verified, unless that depends on the delivery. */
export function chosenVerification(rule: WebhookRule): WebhookVerification | null {
  return rule.scheme === "auto" ? null : verificationOf(rule, rule.scheme);
}

/** Returns how the sender brings its secret; null if the trigger has a secret of its own. */
export function handshakeOf({ scheme }: Pick<WebhookRule, "scheme">): WebhookHandshake | null {
  return scheme === "auto" ? null : (SENDERS.get(scheme)?.handshake ?? null);
}

function verificationOf(rule: WebhookRule, scheme: ChosenScheme): WebhookVerification | null {
  if (scheme === "custom") return rule.verification ? complete(rule.verification) : null;
  return scheme === "generic" ? genericVerification(rule) : (KNOWN.get(scheme) ?? null);
}

const completed = new WeakMap<WebhookVerification, WebhookVerification>();

/** Adds the defaults of what a trigger could not say yet when it was stored. */
function complete(stored: WebhookVerification): WebhookVerification {
  const known = completed.get(stored);
  if (known) return known;
  const verification = webhookVerification.parse(stored);
  completed.set(stored, verification);
  return verification;
}

function detectScheme(rule: WebhookRule, headers: Headers): ChosenScheme | null {
  const has = (scheme: ChosenScheme) => {
    const verification = verificationOf(rule, scheme);
    const signature = verification && "signature" in verification ? verification.signature : [];
    return [signature].flat().some((place) => "header" in place && headers.has(place.header));
  };
  return [...DETECTED, "generic" as const].find(has) ?? null;
}

function genericVerification({ header, algorithm, encoding }: WebhookRule): WebhookVerification {
  return webhookVerification.parse({
    type: "hmac",
    signature: { header: header || GENERIC_HEADER },
    prefix: `${algorithm}=`,
    is_prefix_optional: true,
    algorithm,
    encoding,
  });
}
