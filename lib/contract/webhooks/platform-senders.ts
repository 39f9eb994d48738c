import type { WebhookSender } from "#lib/contract/webhooks/sender";

const SHA_256 = { prefix: "sha256=" } as const;
/** A region has no digit before its last part, so that no bucket of S3 has such a host name. */
const SNS_HOST = "https://sns\\.[a-z]{2,3}(?:-[a-z]{2,12}){1,3}-\\d{1,2}\\.amazonaws\\.com(?:\\.cn)?";

/** Services for developers, files and media. */
export const PLATFORM_SENDERS = {
  bitbucket: {
    label: "Bitbucket",
    secret: "secret of the webhook",
    source: "https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/",
    verification: {
      type: "hmac",
      signature: { header: "x-hub-signature" },
      ...SHA_256,
      delivery_id: [{ header: "x-request-uuid" }],
    },
  },
  box: {
    label: "Box",
    secret: "primary signature key; add the secondary key in a second line",
    source: "https://developer.box.com/guides/webhooks/v2/signatures-v2/",
    verification: {
      type: "hmac",
      signature: [{ header: "box-signature-primary" }, { header: "box-signature-secondary" }],
      encoding: "base64",
      signed: "{body}{timestamp}",
      timestamp: { from: { header: "box-delivery-timestamp" }, unit: "iso8601" },
      delivery_id: [{ header: "box-delivery-id" }],
    },
  },
  cal_com: {
    label: "Cal.com",
    secret: "secret of the webhook",
    source: "https://cal.com/docs/developing/guides/automation/webhooks",
    verification: {
      type: "hmac",
      signature: { header: "x-cal-signature-256" },
      delivery_id: "whole_body",
    },
  },
  discourse: {
    label: "Discourse",
    secret: "secret of the webhook",
    source:
      "https://meta.discourse.org/t/configure-webhooks-that-trigger-on-discourse-events-to-integrate-with-external-services/49045",
    verification: {
      type: "hmac",
      signature: { header: "x-discourse-event-signature" },
      ...SHA_256,
      delivery_id: [{ header: "x-discourse-event-id" }],
    },
  },
  docusign: {
    label: "DocuSign Connect",
    secret: "HMAC key of Connect; one key a line if there are several",
    source: "https://developers.docusign.com/platform/webhooks/connect/hmac/",
    verification: {
      type: "hmac",
      signature: [1, 2, 3, 4].map((number) => ({ header: `x-docusign-signature-${number}` })),
      encoding: "base64",
      // The body counts its retries.
      delivery_id: [
        { body: "event" },
        { body: "data.envelopeId" },
        { body: "data.recipientId" },
        { body: "generatedDateTime" },
      ],
    },
  },
  dropbox: {
    label: "Dropbox",
    secret: "app secret",
    source: "https://www.dropbox.com/developers/reference/webhooks",
    verification: {
      type: "hmac",
      signature: { header: "x-dropbox-signature" },
      // It names only whose files have changed, each time in the same words.
      delivery_id: "none",
      challenges: [
        {
          method: "GET",
          when: [{ at: { query: "challenge" }, equals: null }],
          is_signed: false,
          respond: { text: "{query:challenge}" },
        },
      ],
    },
  },
  gitea: {
    label: "Gitea, Forgejo",
    secret: "secret of the webhook",
    source: "https://docs.gitea.com/usage/webhooks",
    verification: {
      type: "hmac",
      signature: { header: "x-gitea-signature" },
      delivery_id: [{ header: "x-gitea-delivery" }],
    },
  },
  jotform: {
    label: "Jotform",
    secret: "a text of your choice; add it to the URL as ?secret=…",
    source: "https://www.jotform.com/help/245-how-to-setup-a-webhook-with-jotform/",
    verification: {
      type: "token",
      token: { query: "secret" },
      delivery_id: [{ body: "submissionID" }],
    },
  },
  kick: {
    label: "Kick",
    secret: "public key of Kick",
    source: "https://docs.kick.com/events/webhook-security",
    verification: {
      type: "public_key",
      signature: { header: "kick-event-signature" },
      encoding: "base64",
      algorithm: "rsa-sha256",
      key: "pem",
      signed: "{header:kick-event-message-id}.{timestamp}.{body}",
      timestamp: { from: { header: "kick-event-message-timestamp" }, unit: "iso8601" },
      delivery_id: [{ header: "kick-event-message-id" }],
    },
  },
  mailgun_routes: {
    label: "Mailgun (inbound messages)",
    secret: "HTTP webhook signing key",
    source: "https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http",
    verification: {
      type: "hmac",
      signature: { body: "signature" },
      signed: "{timestamp}{body:token}",
      timestamp: { from: { body: "timestamp" } },
      delivery_id: [{ body: "Message-Id" }],
    },
  },
  mux: {
    label: "Mux",
    secret: "signing secret of the webhook",
    source: "https://www.mux.com/docs/core/verify-webhook-signatures",
    verification: {
      type: "hmac",
      signature: { header: "mux-signature", part: "v1" },
      signed: "{timestamp}.{body}",
      timestamp: { from: { header: "mux-signature", part: "t" } },
      delivery_id: [{ body: "id" }],
    },
  },
  pagerduty: {
    label: "PagerDuty",
    secret: "signing secret of the subscription",
    source: "https://developer.pagerduty.com/docs/verifying-webhook-signatures",
    verification: {
      type: "hmac",
      signature: { header: "x-pagerduty-signature" },
      prefix: "v1=",
      delivery_id: [{ body: "event.id" }],
    },
  },
  patreon: {
    label: "Patreon",
    secret: "secret of the webhook",
    source: "https://docs.patreon.com/#webhooks",
    verification: {
      type: "hmac",
      signature: { header: "x-patreon-signature" },
      algorithm: "md5",
      delivery_id: "whole_body",
    },
  },
  plex: {
    label: "Plex",
    secret: "a text of your choice; add it to the URL as ?secret=…",
    source: "https://support.plex.tv/articles/115002267687-webhooks/",
    verification: {
      type: "token",
      token: { query: "secret" },
      // Pausing the same film twice is the same request twice.
      delivery_id: "none",
    },
  },
  sentry: {
    label: "Sentry",
    secret: "client secret of the integration",
    source: "https://docs.sentry.io/integrations/integration-platform/webhooks/",
    verification: {
      type: "hmac",
      signature: { header: "sentry-hook-signature" },
      delivery_id: "whole_body",
    },
  },
  sns: {
    label: "Amazon SNS",
    secret: "ARN of the topic",
    source: "https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html",
    verification: {
      type: "certificate",
      signature: { body: "Signature" },
      encoding: "base64",
      address: { body: "SigningCertURL" },
      matches: `${SNS_HOST}/SimpleNotificationService-[0-9a-f]{1,64}\\.pem`,
      digest: { at: { body: "SignatureVersion" }, of: { "1": "sha1", "2": "sha256" } },
      signed: "{lines:Message,MessageId,SubscribeURL,Subject,Timestamp,Token,TopicArn,Type}",
      // Anyone can have SNS sign the messages of a topic of their own.
      secret_at: { body: "TopicArn" },
      delivery_id: [{ body: "MessageId" }],
      confirmation: {
        when: [{ at: { body: "Type" }, equals: "SubscriptionConfirmation" }],
        address: { body: "SubscribeURL" },
        matches: `${SNS_HOST}/\\?Action=ConfirmSubscription&[\\w&=.:%-]{1,2000}`,
      },
    },
  },
  twitch: {
    label: "Twitch EventSub",
    secret: "secret of the subscription",
    source: "https://dev.twitch.tv/docs/eventsub/handling-webhook-events/",
    verification: {
      type: "hmac",
      signature: { header: "twitch-eventsub-message-signature" },
      ...SHA_256,
      signed: "{header:twitch-eventsub-message-id}{timestamp}{body}",
      timestamp: { from: { header: "twitch-eventsub-message-timestamp" }, unit: "iso8601" },
      delivery_id: [{ header: "twitch-eventsub-message-id" }],
      challenges: [
        {
          when: [{ at: { header: "twitch-eventsub-message-type" }, equals: "webhook_callback_verification" }],
          respond: { text: "{body:challenge}" },
        },
      ],
    },
  },
  vercel: {
    label: "Vercel",
    secret: "secret of the webhook, or client secret of the integration",
    source: "https://vercel.com/docs/webhooks/webhooks-api",
    verification: {
      type: "hmac",
      signature: { header: "x-vercel-signature" },
      algorithm: "sha1",
      delivery_id: [{ body: "id" }],
    },
  },
  webflow: {
    label: "Webflow",
    secret: "secret key of the webhook, or client secret of the app",
    source: "https://developers.webflow.com/data/docs/working-with-webhooks",
    verification: {
      type: "hmac",
      signature: { header: "x-webflow-signature" },
      signed: "{timestamp}:{body}",
      timestamp: { from: { header: "x-webflow-timestamp" }, unit: "milliseconds" },
      delivery_id: "whole_body",
    },
  },
  workos: {
    label: "WorkOS",
    secret: "signing secret of the webhook endpoint",
    source: "https://workos.com/docs/events/data-syncing/webhooks",
    verification: {
      type: "hmac",
      signature: { header: "workos-signature", part: "v1" },
      signed: "{timestamp}.{body}",
      timestamp: { from: { header: "workos-signature", part: "t" }, unit: "milliseconds" },
      delivery_id: [{ body: "id" }],
    },
  },
} as const satisfies Record<string, WebhookSender>;
