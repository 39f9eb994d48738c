import type { WebhookSender } from "#lib/contract/webhooks/sender";

const ADYEN_ITEM = "notificationItems.0.NotificationRequestItem";
const ADYEN_SIGNED = [
  "pspReference",
  "originalReference",
  "merchantAccountCode",
  "merchantReference",
  "amount.value",
  "amount.currency",
  "eventCode",
  "success",
];

/** Services that move money. */
export const PAYMENT_SENDERS = {
  adyen: {
    label: "Adyen",
    secret: "HMAC key of the standard webhook",
    source: "https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures",
    verification: {
      type: "hmac",
      signature: { body: `${ADYEN_ITEM}.additionalData.hmacSignature` },
      encoding: "base64",
      key: "hex",
      signed: ADYEN_SIGNED.map((field) => `{body:${ADYEN_ITEM}.${field}}`).join(":"),
      delivery_id: ["pspReference", "eventCode", "eventDate", "success"].map((field) => ({
        body: `${ADYEN_ITEM}.${field}`,
      })),
    },
  },
  checkout: {
    label: "Checkout.com",
    secret: "signature key of the workflow",
    source: "https://www.checkout.com/docs/workflows",
    verification: {
      type: "hmac",
      signature: { header: "cko-signature" },
      delivery_id: [{ body: "id" }],
    },
  },
  coinbase_commerce: {
    label: "Coinbase Commerce",
    secret: "webhook shared secret",
    source: "https://docs.cdp.coinbase.com/commerce/api-arcitecture/webhooks-security",
    verification: {
      type: "hmac",
      signature: { header: "x-cc-webhook-signature" },
      // The `id` at the top is that of the attempt.
      delivery_id: [{ body: "event.id" }],
    },
  },
  gocardless: {
    label: "GoCardless",
    secret: "secret of the webhook endpoint",
    source: "https://developer.gocardless.com/getting-started/staying-up-to-date-with-webhooks",
    verification: {
      type: "hmac",
      signature: { header: "webhook-signature" },
      delivery_id: [{ body: "events.*.id" }],
    },
  },
  lemon_squeezy: {
    label: "Lemon Squeezy",
    secret: "signing secret of the webhook",
    source: "https://docs.lemonsqueezy.com/help/webhooks/signing-requests",
    verification: {
      type: "hmac",
      signature: { header: "x-signature" },
      delivery_id: "whole_body",
    },
  },
  paystack: {
    label: "Paystack",
    secret: "secret key of the account",
    source: "https://paystack.com/docs/payments/webhooks/",
    verification: {
      type: "hmac",
      signature: { header: "x-paystack-signature" },
      algorithm: "sha512",
      delivery_id: "whole_body",
    },
  },
  plaid: {
    label: "Plaid",
    secret: "webhook verification key, as a JWK; replace it when Plaid rotates it",
    source: "https://plaid.com/docs/api/webhooks/webhook-verification/",
    verification: {
      type: "jwt",
      token: { header: "plaid-verification" },
      algorithm: "ES256",
      body_claim: { name: "request_body_sha256" },
      is_issued_recently: true,
      delivery_id: "whole_body",
    },
  },
  razorpay: {
    label: "Razorpay",
    secret: "secret of the webhook",
    source: "https://razorpay.com/docs/webhooks/validate-test/",
    verification: {
      type: "hmac",
      signature: { header: "x-razorpay-signature" },
      delivery_id: [{ header: "x-razorpay-event-id" }],
    },
  },
  wise: {
    label: "Wise",
    secret: "public key of Wise for webhooks, of production or the sandbox",
    source: "https://docs.wise.com/guides/developer/webhooks/event-handling",
    verification: {
      type: "public_key",
      signature: { header: "x-signature-sha256" },
      encoding: "base64",
      algorithm: "rsa-sha256",
      key: "spki-base64",
      delivery_id: [{ header: "x-delivery-id" }],
    },
  },
} as const satisfies Record<string, WebhookSender>;
