import type { WebhookSender } from "#lib/contract/webhooks/sender";

const SHA_256 = { prefix: "sha256=" } as const;

/** Services in which teams plan, write and build. */
export const WORK_SENDERS = {
  github: {
    label: "GitHub",
    secret: "secret of the webhook",
    source: "https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries",
    verification: {
      type: "hmac",
      signature: { header: "x-hub-signature-256" },
      ...SHA_256,
      delivery_id: [{ header: "x-github-delivery" }],
    },
  },
  gitlab: {
    label: "GitLab",
    secret: "secret token of the webhook",
    source: "https://docs.gitlab.com/user/project/integrations/webhooks/",
    verification: {
      type: "token",
      token: { header: "x-gitlab-token" },
      delivery_id: [{ header: "idempotency-key" }],
    },
  },
  jira: {
    label: "Jira",
    secret: "secret of the webhook",
    source: "https://developer.atlassian.com/cloud/jira/platform/webhooks/",
    verification: {
      type: "hmac",
      signature: { header: "x-hub-signature" },
      ...SHA_256,
      delivery_id: [{ header: "x-atlassian-webhook-identifier" }],
    },
  },
  linear: {
    label: "Linear",
    secret: "signing secret of the webhook",
    source: "https://linear.app/developers/webhooks",
    verification: {
      type: "hmac",
      signature: { header: "linear-signature" },
      timestamp: { from: { body: "webhookTimestamp" }, unit: "milliseconds" },
      delivery_id: [{ header: "linear-delivery" }],
    },
  },
  asana: {
    label: "Asana",
    secret: "leave it empty: Asana sends its secret when you create the webhook",
    source: "https://developers.asana.com/docs/webhooks-guide",
    verification: {
      type: "hmac",
      signature: { header: "x-hook-signature" },
      delivery_id: "whole_body",
    },
    handshake: { secret: { header: "x-hook-secret" }, echo: "x-hook-secret" },
  },
  notion: {
    label: "Notion",
    secret: "leave it empty: Notion sends its verification token when you create the subscription",
    source: "https://developers.notion.com/reference/webhooks",
    verification: {
      type: "hmac",
      signature: { header: "x-notion-signature" },
      ...SHA_256,
      delivery_id: [{ body: "id" }],
    },
    handshake: { secret: { body: "verification_token" } },
  },
  airtable: {
    label: "Airtable",
    secret: "macSecretBase64 of the webhook",
    source: "https://airtable.com/developers/web/api/webhooks-overview",
    verification: {
      type: "hmac",
      signature: { header: "x-airtable-content-mac" },
      prefix: "hmac-sha256=",
      key: "base64",
      delivery_id: "whole_body",
    },
  },
  trello: {
    label: "Trello",
    secret: "secret of the application",
    source: "https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/",
    verification: {
      type: "hmac",
      signature: { header: "x-trello-webhook" },
      encoding: "base64",
      algorithm: "sha1",
      signed: "{body}{url}",
      delivery_id: [{ body: "action.id" }],
      challenges: [{ method: "HEAD", when: [], is_signed: false, respond: {} }],
    },
  },
  monday: {
    label: "monday.com",
    secret: "signing secret of the app",
    source: "https://developer.monday.com/apps/docs/integration-authorization",
    verification: {
      type: "jwt",
      token: { header: "authorization" },
      delivery_id: [{ body: "event.triggerUuid" }],
      challenges: [
        {
          when: [{ at: { body: "challenge" }, equals: null }],
          is_signed: false,
          respond: { json: { challenge: "{body:challenge}" } },
        },
      ],
    },
  },
  zoom: {
    label: "Zoom",
    secret: "secret token of the app",
    source: "https://developers.zoom.us/docs/api/webhooks/",
    verification: {
      type: "hmac",
      signature: { header: "x-zm-signature" },
      prefix: "v0=",
      signed: "v0:{timestamp}:{body}",
      timestamp: { from: { header: "x-zm-request-timestamp" } },
      delivery_id: "whole_body",
      challenges: [
        {
          when: [{ at: { body: "event" }, equals: "endpoint.url_validation" }],
          respond: {
            json: { plainToken: "{body:payload.plainToken}", encryptedToken: "{hmac:payload.plainToken}" },
          },
        },
      ],
    },
  },
} as const satisfies Record<string, WebhookSender>;
