import type { WebhookSender } from "#lib/contract/webhooks/sender";

/** Services that report messages, mail and calls. */
export const MESSAGING_SENDERS = {
  slack: {
    label: "Slack",
    secret: "signing secret of the app",
    source: "https://docs.slack.dev/authentication/verifying-requests-from-slack",
    verification: {
      type: "hmac",
      signature: { header: "x-slack-signature" },
      prefix: "v0=",
      signed: "v0:{timestamp}:{body}",
      timestamp: { from: { header: "x-slack-request-timestamp" } },
      delivery_id: [{ body: "event_id" }],
      challenges: [
        { when: [{ at: { body: "type" }, equals: "url_verification" }], respond: { text: "{body:challenge}" } },
      ],
    },
  },
  meta: {
    label: "WhatsApp, Instagram, Facebook (Meta)",
    secret: "app secret; the verify token is the last part of the URL",
    source: "https://developers.facebook.com/docs/graph-api/webhooks/getting-started",
    verification: {
      type: "hmac",
      signature: { header: "x-hub-signature-256" },
      prefix: "sha256=",
      delivery_id: "whole_body",
      challenges: [
        {
          method: "GET",
          when: [
            { at: { query: "hub.mode" }, equals: "subscribe" },
            { at: { query: "hub.verify_token" }, equals: "{id}" },
          ],
          is_signed: false,
          respond: { text: "{query:hub.challenge}" },
        },
      ],
    },
  },
  telegram: {
    label: "Telegram",
    secret: "secret_token that you passed to setWebhook",
    source: "https://core.telegram.org/bots/api#setwebhook",
    verification: {
      type: "token",
      token: { header: "x-telegram-bot-api-secret-token" },
      delivery_id: [{ body: "update_id" }],
    },
  },
  discord: {
    label: "Discord",
    secret: "public key of the application",
    source: "https://docs.discord.com/developers/events/webhook-events",
    verification: {
      type: "public_key",
      signature: { header: "x-signature-ed25519" },
      algorithm: "ed25519",
      key: "raw-hex",
      signed: "{timestamp}{body}",
      timestamp: { from: { header: "x-signature-timestamp" } },
      delivery_id: "whole_body",
      challenges: [
        { when: [{ at: { body: "type" }, equals: "0" }], respond: { status: 204 } },
        // Webhook events have this type, too. Only interactions have a token.
        {
          when: [
            { at: { body: "type" }, equals: "1" },
            { at: { body: "token" }, equals: null },
          ],
          respond: { json: { type: 1 } },
        },
      ],
    },
  },
  intercom: {
    label: "Intercom",
    secret: "client secret of the app",
    source: "https://developers.intercom.com/docs/webhooks/setting-up-webhooks",
    verification: {
      type: "hmac",
      signature: { header: "x-hub-signature" },
      prefix: "sha1=",
      algorithm: "sha1",
      delivery_id: [{ body: "id" }],
      challenges: [{ method: "HEAD", when: [], is_signed: false, respond: {} }],
    },
  },
  zendesk: {
    label: "Zendesk",
    secret: "signing secret of the webhook",
    source: "https://developer.zendesk.com/documentation/webhooks/verifying/",
    verification: {
      type: "hmac",
      signature: { header: "x-zendesk-webhook-signature" },
      encoding: "base64",
      signed: "{timestamp}{body}",
      timestamp: { from: { header: "x-zendesk-webhook-signature-timestamp" }, unit: "iso8601" },
      delivery_id: [{ header: "x-zendesk-webhook-invocation-id" }],
    },
  },
  twilio: {
    label: "Twilio",
    secret: "auth token of the account",
    source: "https://www.twilio.com/docs/usage/webhooks/webhooks-security",
    verification: {
      type: "hmac",
      signature: { header: "x-twilio-signature" },
      encoding: "base64",
      algorithm: "sha1",
      signed: "{url}{params}",
      // The signature of a body that is not a form covers its digest in the address.
      body_digest: { query: "bodySHA256" },
      delivery_id: [{ header: "i-twilio-idempotency-token" }],
    },
  },
  sendgrid: {
    label: "SendGrid",
    secret: "verification key of the event webhook",
    source:
      "https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features",
    verification: {
      type: "public_key",
      signature: { header: "x-twilio-email-event-webhook-signature" },
      encoding: "base64",
      algorithm: "ecdsa-sha256",
      key: "spki-base64",
      signed: "{timestamp}{body}",
      timestamp: { from: { header: "x-twilio-email-event-webhook-timestamp" } },
      delivery_id: [{ body: "*.sg_event_id" }],
    },
  },
  mailgun: {
    label: "Mailgun",
    secret: "HTTP webhook signing key",
    source: "https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks",
    verification: {
      type: "hmac",
      signature: { body: "signature.signature" },
      signed: "{timestamp}{body:signature.token}",
      timestamp: { from: { body: "signature.timestamp" } },
      delivery_id: [{ body: "event-data.id" }],
    },
  },
  mailchimp: {
    label: "Mailchimp",
    secret: "a text of your choice; add it to the URL as ?secret=…",
    source: "https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/",
    verification: {
      type: "token",
      token: { query: "secret" },
      delivery_id: "whole_body",
      challenges: [
        { method: "GET", when: [], is_signed: false, respond: {} },
        { method: "HEAD", when: [], is_signed: false, respond: {} },
      ],
    },
  },
  mandrill: {
    label: "Mailchimp Transactional (Mandrill)",
    secret: "authentication key of the webhook",
    source: "https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/",
    verification: {
      type: "hmac",
      signature: { header: "x-mandrill-signature" },
      encoding: "base64",
      algorithm: "sha1",
      signed: "{url}{params}",
      delivery_id: "whole_body",
      challenges: [{ method: "HEAD", when: [], is_signed: false, respond: {} }],
    },
  },
} as const satisfies Record<string, WebhookSender>;
