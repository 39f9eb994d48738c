import { createHash, createHmac, generateKeyPairSync, sign as signBytes } from "node:crypto";
import { sign as signGitHub } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilio from "twilio";
import type { WebhookSenderName } from "#lib/contract/webhooks/senders";
import { MORE_SAMPLES, SIGNED_BODIES } from "#lib/domain/triggers/verification/more-sender-samples.fixture";

/** The values that a sender signs and signs with. */
interface Signing {
  secret: string;
  body: string;
  /** The time in epoch seconds. */
  at: number;
  url: string;
}

/**
 * A delivery as the service sends it. It is signed by the service's own library if npm has one that signs, or else by
 * its documentation.
 */
export interface SenderSample {
  secret: string;
  body: string;
  contentType?: string;
  url?: (address: string, signing: Omit<Signing, "url">) => string;
  headers: (signing: Signing) => Record<string, string> | Promise<Record<string, string>>;
  /** The body when the same delivery is sent again, if the body differs. */
  bodyOfRetry?: string;
  /** The body of another event. By default, the same body with other numbers. */
  otherBody?: string;
  /** False if the service does not sign the body. */
  signsBody?: false;
}

const FORM = "application/x-www-form-urlencoded";
const whsec = `whsec_${Buffer.from("a secret of 24 bytes ...").toString("base64")}`;
const hmac = (algorithm: string, secret: string | Buffer, text: string) => createHmac(algorithm, secret).update(text);
const hex = (secret: string | Buffer, text: string) => hmac("sha256", secret, text).digest("hex");
const base64 = (secret: string, text: string) => hmac("sha256", secret, text).digest("base64");
const ed25519 = generateKeyPairSync("ed25519");
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const spki = (key: typeof p256.publicKey) => key.export({ format: "der", type: "spki" });
const fieldsOf = (body: string) => Object.fromEntries(new URLSearchParams(body));
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const idOf = (body: string) => createHash("sha256").update(body).digest("hex").slice(0, 32);
const stripe = new Stripe("sk_test_1");

/** Those whose certificate has to be fetched. They have tests of their own. */
export const WITH_CERTIFICATE = ["paypal", "sns"] as const satisfies WebhookSenderName[];

/** Every service that Signalbox knows by name, but those with a certificate. */
export const SENDER_SAMPLES: Record<Exclude<WebhookSenderName, (typeof WITH_CERTIFICATE)[number]>, SenderSample> = {
  ...MORE_SAMPLES,
  standard: {
    secret: whsec,
    body: '{"order":1}',
    headers: ({ secret, body, at }) => ({
      "webhook-id": `msg_${idOf(body)}`,
      "webhook-timestamp": String(at),
      "webhook-signature": new StandardWebhook(secret).sign(`msg_${idOf(body)}`, new Date(at * 1_000), body),
    }),
  },
  svix: {
    secret: whsec,
    body: '{"type":"user.created","data":{"id":"user_1"}}',
    headers: ({ secret, body, at }) => ({
      "svix-id": `msg_${idOf(body)}`,
      "svix-timestamp": String(at),
      "svix-signature": new SvixWebhook(secret).sign(`msg_${idOf(body)}`, new Date(at * 1_000), body),
    }),
  },
  stripe: {
    secret: "whsec_1",
    body: '{"id":"evt_1","object":"event","data":{"amount":1}}',
    headers: ({ secret, body: payload, at: timestamp }) => ({
      "stripe-signature": stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
    }),
  },
  github: {
    secret: "a-signing-secret",
    body: '{"action":"opened","issue":{"number":1}}',
    headers: async ({ secret, body }) => ({
      "x-github-delivery": idOf(body),
      "x-hub-signature-256": await signGitHub(secret, body),
    }),
  },
  gitlab: {
    secret: "a-secret-token",
    body: '{"object_kind":"push","project_id":1}',
    signsBody: false,
    headers: ({ secret, body }) => ({ "x-gitlab-token": secret, "idempotency-key": idOf(body) }),
  },
  slack: {
    secret: "8f742231b10e8888abcd99yyyzzz85a5",
    body: '{"type":"event_callback","event_id":"Ev1","event":{"type":"message"}}',
    headers: ({ secret, body, at }) => ({
      "x-slack-request-timestamp": String(at),
      "x-slack-signature": `v0=${hex(secret, `v0:${at}:${body}`)}`,
    }),
  },
  shopify: {
    secret: "shpss_1",
    body: '{"id":1,"email":"a@example.com"}',
    headers: ({ secret, body }) => ({
      "x-shopify-hmac-sha256": base64(secret, body),
      "x-shopify-webhook-id": idOf(body),
    }),
  },
  twilio: {
    secret: "12345",
    body: "CallSid=CA1&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212",
    contentType: FORM,
    headers: ({ secret, body, url }) => ({
      "x-twilio-signature": twilio.getExpectedTwilioSignature(secret, url, fieldsOf(body)),
      "i-twilio-idempotency-token": idOf(body),
    }),
  },
  linear: {
    secret: "lin_wh_1",
    body: '{"action":"create","data":{"id":"1"},"webhookTimestamp":1700000000000}',
    headers: ({ secret, body }) => ({ "linear-signature": hex(secret, body), "linear-delivery": idOf(body) }),
  },
  typeform: {
    secret: "a-signing-secret",
    body: '{"event_id":"01","event_type":"form_response"}',
    headers: ({ secret, body }) => ({ "typeform-signature": `sha256=${base64(secret, body)}` }),
  },
  calendly: {
    secret: "a-signing-secret",
    body: '{"event":"invitee.created","created_at":"2026-01-01T00:00:00.000000Z","payload":{"uri":"1"}}',
    headers: ({ secret, body, at }) => ({
      "calendly-webhook-signature": `t=${at},v1=${hex(secret, `${at}.${body}`)}`,
    }),
  },
  zendesk: {
    secret: "dGhpc19zZWNyZXRfaXNfZm9yX3Rlc3Rpbmdfb25seQ==",
    body: '{"id":"1","type":"zen:event-type:user.created"}',
    headers: ({ secret, body, at }) => {
      const timestamp = new Date(at * 1_000).toISOString().replace(".000Z", "Z");
      return {
        "x-zendesk-webhook-signature": base64(secret, timestamp + body),
        "x-zendesk-webhook-signature-timestamp": timestamp,
        "x-zendesk-webhook-invocation-id": idOf(body),
      };
    },
  },
  hubspot: {
    secret: "client-secret",
    body: '[{"eventId":1,"subscriptionId":7,"objectId":5,"occurredAt":3,"attemptNumber":0}]',
    bodyOfRetry: '[{"eventId":1,"subscriptionId":7,"objectId":5,"occurredAt":3,"attemptNumber":1}]',
    otherBody: '[{"eventId":1,"subscriptionId":7,"objectId":5,"occurredAt":4,"attemptNumber":0}]',
    headers: ({ secret, body, at, url }) => ({
      "x-hubspot-signature-v3": base64(secret, `POST${url}${body}${at * 1_000}`),
      "x-hubspot-request-timestamp": String(at * 1_000),
    }),
  },
  square: {
    secret: "a-signing-key",
    body: '{"merchant_id":"M","type":"payment.updated","event_id":"6a8f5f28-54a1-4eb0-a98a-3111513fd4fc"}',
    headers: ({ secret, body, url }) => ({ "x-square-hmacsha256-signature": base64(secret, url + body) }),
  },
  paddle: {
    secret: "pdl_ntfset_1",
    body: '{"event_id":"evt_01","event_type":"transaction.completed"}',
    headers: ({ secret, body, at }) => ({ "paddle-signature": `ts=${at};h1=${hex(secret, `${at}:${body}`)}` }),
  },
  intercom: {
    secret: "client-secret",
    body: '{"type":"notification_event","id":"notif_1"}',
    headers: ({ secret, body }) => ({ "x-hub-signature": `sha1=${hmac("sha1", secret, body).digest("hex")}` }),
  },
  discord: {
    secret: spki(ed25519.publicKey).subarray(-32).toString("hex"),
    body: '{"version":1,"type":1,"event":{"type":"APPLICATION_AUTHORIZED","timestamp":"2026-01-01T00:00:00.000000"}}',
    otherBody: '{"version":1,"type":1,"event":{"type":"ENTITLEMENT_CREATE","timestamp":"2026-01-01T00:00:00.000000"}}',
    headers: ({ body, at }) => ({
      "x-signature-ed25519": signBytes(null, Buffer.from(`${at}${body}`), ed25519.privateKey).toString("hex"),
      "x-signature-timestamp": String(at),
    }),
  },
  meta: {
    secret: "app-secret",
    body: '{"object":"whatsapp_business_account","entry":[{"id":"1"}]}',
    headers: ({ secret, body }) => ({ "x-hub-signature-256": `sha256=${hex(secret, body)}` }),
  },
  woocommerce: {
    secret: "a-signing-secret",
    body: '{"id":1,"status":"processing"}',
    headers: ({ secret, body }) => ({
      "x-wc-webhook-signature": base64(secret, body),
      "x-wc-webhook-delivery-id": idOf(body),
    }),
  },
  asana: {
    secret: "b537207f20cbfa02357cf448134da559",
    body: '{"events":[{"action":"changed","resource":{"gid":"1"}}]}',
    headers: ({ secret, body }) => ({ "x-hook-signature": hex(secret, body) }),
  },
  jira: {
    secret: "It's a Secret to Everybody",
    body: '{"timestamp":1,"webhookEvent":"jira:issue_created"}',
    headers: ({ secret, body }) => ({
      "x-hub-signature": `sha256=${hex(secret, body)}`,
      "x-atlassian-webhook-identifier": idOf(body),
    }),
  },
  notion: {
    secret: "secret_1",
    body: '{"id":"1","type":"page.created","attempt_number":1}',
    bodyOfRetry: '{"id":"1","type":"page.created","attempt_number":2}',
    otherBody: '{"id":"2","type":"page.created","attempt_number":1}',
    headers: ({ secret, body }) => ({ "x-notion-signature": `sha256=${hex(secret, body)}` }),
  },
  airtable: {
    secret: Buffer.from("mac secret").toString("base64"),
    body: '{"base":{"id":"app1"},"webhook":{"id":"ach1"},"timestamp":"2026-01-01T00:00:00.000Z"}',
    headers: ({ secret, body }) => ({
      "x-airtable-content-mac": `hmac-sha256=${hex(Buffer.from(secret, "base64"), body)}`,
    }),
  },
  zoom: {
    secret: "a-secret-token",
    body: '{"event":"meeting.started","event_ts":1}',
    headers: ({ secret, body, at }) => ({
      "x-zm-request-timestamp": String(at),
      "x-zm-signature": `v0=${hex(secret, `v0:${at}:${body}`)}`,
    }),
  },
  monday: {
    secret: "signing-secret",
    body: '{"event":{"type":"update_column_value","triggerUuid":"1"}}',
    signsBody: false,
    headers: ({ secret, at }) => {
      const text = `${part({ alg: "HS256", typ: "JWT" })}.${part({ accountId: 1, exp: at + 300 })}`;
      return { authorization: `${text}.${hmac("sha256", secret, text).digest("base64url")}` };
    },
  },
  mailchimp: {
    secret: "a-key",
    body: "type=subscribe&fired_at=2026-01-01+00%3A00%3A00&data%5Bemail%5D=a%40example.com",
    contentType: FORM,
    signsBody: false,
    url: (address, { secret }) => `${address}?secret=${secret}`,
    headers: () => ({}),
  },
  mandrill: {
    secret: "a-signing-key",
    body: `mandrill_events=${encodeURIComponent('[{"event":"send","_id":"1"}]')}`,
    contentType: FORM,
    headers: ({ secret, body, url }) => {
      const fields = Object.entries(fieldsOf(body)).flat().join("");
      return { "x-mandrill-signature": hmac("sha1", secret, url + fields).digest("base64") };
    },
  },
  mailgun: {
    secret: "a-signing-key",
    body: "",
    signsBody: false,
    headers: () => ({}),
  },
  sendgrid: {
    secret: spki(p256.publicKey).toString("base64"),
    body: '[{"email":"a@example.com","event":"delivered","sg_event_id":"1"}]',
    headers: ({ body, at }) => ({
      "x-twilio-email-event-webhook-signature": signBytes("sha256", Buffer.from(at + body), p256.privateKey).toString(
        "base64",
      ),
      "x-twilio-email-event-webhook-timestamp": String(at),
    }),
  },
  trello: {
    secret: "application-secret",
    body: '{"action":{"id":"1","type":"updateCard"},"model":{}}',
    headers: ({ secret, body, url }) => ({ "x-trello-webhook": hmac("sha1", secret, body + url).digest("base64") }),
  },
  pipedrive: {
    secret: "signalbox:a password",
    body: '{"meta":{"id":"1","timestamp":"2026-01-01T00:00:00Z","attempt":1},"data":{}}',
    bodyOfRetry: '{"meta":{"id":"1","timestamp":"2026-01-01T00:00:00Z","attempt":2},"data":{}}',
    otherBody: '{"meta":{"id":"2","timestamp":"2026-01-01T00:00:00Z","attempt":1},"data":{}}',
    signsBody: false,
    headers: ({ secret }) => ({ authorization: `Basic ${Buffer.from(secret).toString("base64")}` }),
  },
  telegram: {
    secret: "a-secret-token",
    body: '{"update_id":1,"message":{"text":"hi"}}',
    signsBody: false,
    headers: ({ secret }) => ({ "x-telegram-bot-api-secret-token": secret }),
  },
};

/** Returns the body for a time. Some senders sign in the body, and Linear writes the time there. */
export function bodyAt(name: string, body: string, signing: Pick<Signing, "secret" | "at">): string {
  if (name === "linear") return body.replace(/"webhookTimestamp":\d+/, `"webhookTimestamp":${signing.at * 1_000}`);
  return SIGNED_BODIES[name]?.(body || "1", signing) ?? body;
}
