import { COMMERCE_SENDERS } from "#lib/contract/webhooks/commerce-senders";
import { MESSAGING_SENDERS } from "#lib/contract/webhooks/messaging-senders";
import { PAYMENT_SENDERS } from "#lib/contract/webhooks/payment-senders";
import { PLATFORM_SENDERS } from "#lib/contract/webhooks/platform-senders";
import type { WebhookSender } from "#lib/contract/webhooks/sender";
import { WORK_SENDERS } from "#lib/contract/webhooks/work-senders";

/** The specification that many senders follow, and the service that it comes from. */
const SPECIFIED = {
  standard: {
    label: "Standard Webhooks",
    secret: "signing secret: whsec_ and base64",
    source: "https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md",
    verification: {
      type: "hmac",
      signature: { header: "webhook-signature", part: "v1" },
      encoding: "base64",
      key: "whsec",
      signed: "{header:webhook-id}.{timestamp}.{body}",
      timestamp: { from: { header: "webhook-timestamp" } },
      delivery_id: [{ header: "webhook-id" }],
    },
  },
  standard_public_key: {
    label: "Standard Webhooks (public key)",
    secret: "public key: whpk_ and base64",
    source: "https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md",
    verification: {
      type: "public_key",
      signature: { header: "webhook-signature", part: "v1a" },
      encoding: "base64",
      algorithm: "ed25519",
      key: "raw-base64",
      signed: "{header:webhook-id}.{timestamp}.{body}",
      timestamp: { from: { header: "webhook-timestamp" } },
      delivery_id: [{ header: "webhook-id" }],
    },
  },
  supabase: {
    label: "Supabase (auth hooks)",
    secret: "secret of the hook: v1,whsec_ and base64",
    source: "https://supabase.com/docs/guides/auth/auth-hooks",
    verification: {
      type: "hmac",
      signature: { header: "webhook-signature", part: "v1" },
      encoding: "base64",
      key: "whsec",
      signed: "{header:webhook-id}.{timestamp}.{body}",
      timestamp: { from: { header: "webhook-timestamp" } },
      // Each attempt has an id of its own: it stops replays, but not retries. Two events may have the same body.
      delivery_id: [{ header: "webhook-id" }],
    },
  },
  svix: {
    label: "Svix (Clerk, Resend and others)",
    secret: "signing secret: whsec_ and base64",
    source: "https://docs.svix.com/receiving/verifying-payloads/how-manual",
    verification: {
      type: "hmac",
      signature: { header: "svix-signature", part: "v1" },
      encoding: "base64",
      key: "whsec",
      signed: "{header:svix-id}.{timestamp}.{body}",
      timestamp: { from: { header: "svix-timestamp" } },
      delivery_id: [{ header: "svix-id" }],
    },
  },
} as const satisfies Record<string, WebhookSender>;

/**
 * decisions, Inbound webhooks: the senders that Signalbox knows. Verification, forms and documentation derive from these
 * rows, so another sender is one more row.
 */
export const WEBHOOK_SENDERS = {
  ...SPECIFIED,
  ...WORK_SENDERS,
  ...COMMERCE_SENDERS,
  ...MESSAGING_SENDERS,
  ...PAYMENT_SENDERS,
  ...PLATFORM_SENDERS,
};

export type WebhookSenderName = keyof typeof WEBHOOK_SENDERS;
export const WEBHOOK_SENDER_NAMES = Object.keys(WEBHOOK_SENDERS) as WebhookSenderName[];
