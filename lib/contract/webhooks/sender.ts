import type { ValuePlace, VerificationInput } from "#lib/contract/webhooks/verification";

/** A service that sends webhooks, and how its deliveries are verified. */
export interface WebhookSender {
  label: string;
  /** What the service calls the value that belongs in the trigger's secret. */
  secret: string;
  /** Where the service documents it. */
  source: string;
  verification: VerificationInput;
  handshake?: WebhookHandshake;
}

/**
 * Where a service that chooses the secret sends it before its first event, and the header to return it in. A trigger cannot
 * describe this itself: the header of the response has what an unknown caller sent.
 */
export interface WebhookHandshake {
  secret: ValuePlace;
  echo?: "x-hook-secret";
}
