import type { WebhookSender } from "#lib/contract/webhooks/sender";

/** Services that report payments, orders and customers. */
export const COMMERCE_SENDERS = {
  stripe: {
    label: "Stripe",
    secret: "signing secret of the endpoint",
    source: "https://docs.stripe.com/webhooks/signature",
    verification: {
      type: "hmac",
      signature: { header: "stripe-signature", part: "v1" },
      signed: "{timestamp}.{body}",
      timestamp: { from: { header: "stripe-signature", part: "t" } },
      delivery_id: [{ body: "id" }],
    },
  },
  shopify: {
    label: "Shopify",
    secret: "client secret of the app, or the signing secret under Notifications",
    source: "https://shopify.dev/docs/apps/build/webhooks/subscribe/https",
    verification: {
      type: "hmac",
      signature: { header: "x-shopify-hmac-sha256" },
      encoding: "base64",
      delivery_id: [{ header: "x-shopify-webhook-id" }],
    },
  },
  square: {
    label: "Square",
    secret: "signature key of the subscription",
    source: "https://developer.squareup.com/docs/webhooks/step3validate",
    verification: {
      type: "hmac",
      signature: { header: "x-square-hmacsha256-signature" },
      encoding: "base64",
      signed: "{url}{body}",
      delivery_id: [{ body: "event_id" }],
    },
  },
  paypal: {
    label: "PayPal",
    secret: "webhook ID",
    source: "https://developer.paypal.com/api/rest/webhooks/rest/",
    verification: {
      type: "certificate",
      signature: { header: "paypal-transmission-sig" },
      encoding: "base64",
      address: { header: "paypal-cert-url" },
      matches: "https://api\\.(?:sandbox\\.)?paypal\\.com/v1/notifications/certs/[\\w-]{1,100}",
      signed: "{header:paypal-transmission-id}|{header:paypal-transmission-time}|{secret}|{body_crc32}",
      timestamp: { from: { header: "paypal-transmission-time" }, unit: "iso8601" },
      delivery_id: [{ body: "id" }],
    },
  },
  paddle: {
    label: "Paddle",
    secret: "secret key of the notification destination",
    source: "https://developer.paddle.com/webhooks/signature-verification",
    verification: {
      type: "hmac",
      signature: { header: "paddle-signature", part: "h1" },
      signed: "{timestamp}:{body}",
      timestamp: { from: { header: "paddle-signature", part: "ts" } },
      delivery_id: [{ body: "event_id" }],
    },
  },
  woocommerce: {
    label: "WooCommerce",
    secret: "secret of the webhook",
    source: "https://woocommerce.com/document/webhooks/",
    verification: {
      type: "hmac",
      signature: { header: "x-wc-webhook-signature" },
      encoding: "base64",
      delivery_id: [{ header: "x-wc-webhook-delivery-id" }],
      // It tries a new address with a form that has only this field.
      challenges: [{ when: [{ at: { body: "webhook_id" }, equals: null }], is_signed: false, respond: {} }],
    },
  },
  hubspot: {
    label: "HubSpot",
    secret: "client secret of the app",
    source: "https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation",
    verification: {
      type: "hmac",
      signature: { header: "x-hubspot-signature-v3" },
      encoding: "base64",
      signed: "{method}{url}{body}{timestamp}",
      timestamp: { from: { header: "x-hubspot-request-timestamp" }, unit: "milliseconds" },
      // A delivery is a list of events, which count their attempts. An event id alone is not unique.
      delivery_id: [
        { body: "*.eventId" },
        { body: "*.subscriptionId" },
        { body: "*.objectId" },
        { body: "*.occurredAt" },
      ],
    },
  },
  pipedrive: {
    label: "Pipedrive",
    secret: "user name and password of the webhook, with a colon between them",
    source: "https://pipedrive.readme.io/docs/guide-for-webhooks-v2",
    verification: {
      type: "token",
      token: { header: "authorization" },
      prefix: "Basic ",
      encoding: "base64",
      delivery_id: [{ body: "meta.id" }, { body: "meta.timestamp" }],
    },
  },
  calendly: {
    label: "Calendly",
    secret: "signing key of the subscription",
    source: "https://developer.calendly.com/api-docs/4c305798a61d3-webhook-signatures",
    verification: {
      type: "hmac",
      signature: { header: "calendly-webhook-signature", part: "v1" },
      signed: "{timestamp}.{body}",
      timestamp: { from: { header: "calendly-webhook-signature", part: "t" } },
      delivery_id: "whole_body",
    },
  },
  typeform: {
    label: "Typeform",
    secret: "secret of the webhook",
    source: "https://www.typeform.com/developers/webhooks/secure-your-webhooks/",
    verification: {
      type: "hmac",
      signature: { header: "typeform-signature" },
      prefix: "sha256=",
      encoding: "base64",
      delivery_id: [{ body: "event_id" }],
    },
  },
} as const satisfies Record<string, WebhookSender>;
