import { createHash, createHmac, generateKeyPairSync, sign as signBytes } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import type { PAYMENT_SENDERS } from "#lib/contract/webhooks/payment-senders";
import type { PLATFORM_SENDERS } from "#lib/contract/webhooks/platform-senders";
import type { SenderSample } from "#lib/domain/triggers/verification/sender-samples.fixture";

const sha256 = (secret: string | Buffer, text: string) => createHmac("sha256", secret).update(text);
const hex = (secret: string | Buffer, text: string) => sha256(secret, text).digest("hex");
const base64 = (secret: string | Buffer, text: string) => sha256(secret, text).digest("base64");
const idOf = (body: string) => createHash("sha256").update(body).digest("hex").slice(0, 32);
const iso = (at: number) => new Date(at * 1_000).toISOString();

const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const rsaSpki = rsa.publicKey.export({ format: "der", type: "spki" }).toString("base64");
const rsaSign = (text: string) => signBytes("sha256", Buffer.from(text), rsa.privateKey).toString("base64");
const ed25519 = generateKeyPairSync("ed25519");
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

const BOUNDARY = "------------------------a1b2c3";
/** A form as multipart, as Jotform, Plex and Mailgun send it. */
function multipart(fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

const adyen = { psp: "7914073381342284", reference: "TestPayment-1407325143704" };
/** Adyen's own example has an HMAC that its libraries test, too (`verify-signature.test.ts`). */
function adyenBody(signature: string): string {
  const item = {
    pspReference: adyen.psp,
    originalReference: null,
    merchantAccountCode: "TestMerchant",
    merchantReference: adyen.reference,
    amount: { value: 1130, currency: "EUR" },
    eventCode: "AUTHORISATION",
    eventDate: "2019-05-06T17:15:34.121+02:00",
    success: "true",
    additionalData: { hmacSignature: signature },
  };
  return JSON.stringify({ live: "false", notificationItems: [{ NotificationRequestItem: item }] });
}

const named = { secret: "a-signing-secret" };

type NewSender = Exclude<keyof typeof PAYMENT_SENDERS | keyof typeof PLATFORM_SENDERS, "sns">;

/** A delivery of each service that moves money or serves developers. */
export const MORE_SAMPLES: Record<NewSender | "supabase" | "standard_public_key", SenderSample> = {
  standard_public_key: {
    secret: `whpk_${ed25519.publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64")}`,
    body: '{"order":1}',
    headers: ({ body, at }) => ({
      "webhook-id": idOf(body),
      "webhook-timestamp": String(at),
      "webhook-signature": `v1a,${signBytes(null, Buffer.from(`${idOf(body)}.${at}.${body}`), ed25519.privateKey).toString("base64")}`,
    }),
  },
  supabase: {
    secret: `v1,whsec_${Buffer.from("a secret of 24 bytes ...").toString("base64")}`,
    body: '{"user":{"id":"1"},"sms":{"otp":"561166"}}',
    headers: ({ secret, body, at }) => ({
      "webhook-id": idOf(body),
      "webhook-timestamp": String(at),
      "webhook-signature": new StandardWebhook(secret.replace("v1,whsec_", "")).sign(
        idOf(body),
        new Date(at * 1_000),
        body,
      ),
    }),
  },
  adyen: {
    secret: "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
    body: "",
    signsBody: false,
    headers: () => ({}),
  },
  checkout: {
    ...named,
    body: '{"id":"evt_1","type":"payment_approved"}',
    headers: ({ secret, body }) => ({ "cko-signature": hex(secret, body) }),
  },
  coinbase_commerce: {
    ...named,
    body: '{"id":"a","attempt_number":1,"event":{"id":"e1","type":"charge:confirmed"}}',
    bodyOfRetry: '{"id":"b","attempt_number":2,"event":{"id":"e1","type":"charge:confirmed"}}',
    otherBody: '{"id":"a","attempt_number":1,"event":{"id":"e2","type":"charge:confirmed"}}',
    headers: ({ secret, body }) => ({ "x-cc-webhook-signature": hex(secret, body) }),
  },
  gocardless: {
    ...named,
    body: '{"events":[{"id":"EV1","action":"paid_out"},{"id":"EV2","action":"failed"}]}',
    headers: ({ secret, body }) => ({ "webhook-signature": hex(secret, body) }),
  },
  lemon_squeezy: {
    ...named,
    body: '{"meta":{"event_name":"order_created"},"data":{"id":"1"}}',
    headers: ({ secret, body }) => ({ "x-signature": hex(secret, body), "x-event-name": "order_created" }),
  },
  paystack: {
    ...named,
    body: '{"event":"charge.success","data":{"id":1}}',
    headers: ({ secret, body }) => ({
      "x-paystack-signature": createHmac("sha512", secret).update(body).digest("hex"),
    }),
  },
  plaid: {
    secret: JSON.stringify({ ...p256.publicKey.export({ format: "jwk" }), kid: "k1", alg: "ES256" }),
    body: '{\n  "webhook_type": "TRANSACTIONS",\n  "item_id": "1"\n}',
    headers: ({ body, at }) => {
      const digest = createHash("sha256").update(body).digest("hex");
      const text = `${part({ alg: "ES256", kid: "k1", typ: "JWT" })}.${part({ iat: at, request_body_sha256: digest })}`;
      const signature = signBytes("sha256", Buffer.from(text), { key: p256.privateKey, dsaEncoding: "ieee-p1363" });
      return { "plaid-verification": `${text}.${signature.toString("base64url")}` };
    },
  },
  razorpay: {
    ...named,
    body: '{"event":"payment.captured","payload":{"payment":{"entity":{"id":"1"}}}}',
    headers: ({ secret, body }) => ({
      "x-razorpay-signature": hex(secret, body),
      "x-razorpay-event-id": idOf(body),
    }),
  },
  wise: {
    secret: rsaSpki,
    body: '{"event_type":"transfers#state-change","data":{"resource":{"id":1}}}',
    headers: ({ body }) => ({ "x-signature-sha256": rsaSign(body), "x-delivery-id": idOf(body) }),
  },
  bitbucket: {
    ...named,
    body: '{"push":{"changes":[1]}}',
    headers: ({ secret, body }) => ({
      "x-hub-signature": `sha256=${hex(secret, body)}`,
      "x-request-uuid": idOf(body),
    }),
  },
  box: {
    ...named,
    body: '{"type":"webhook_event","id":"1"}',
    headers: ({ secret, body, at }) => ({
      "box-delivery-timestamp": iso(at),
      "box-signature-primary": base64(secret, body + iso(at)),
      "box-signature-secondary": base64("the key that is next", body + iso(at)),
      "box-delivery-id": idOf(body),
    }),
  },
  cal_com: {
    ...named,
    body: '{"triggerEvent":"BOOKING_CREATED","createdAt":"2026-01-01T00:00:00.000Z","payload":{"uid":"1"}}',
    headers: ({ secret, body }) => ({ "x-cal-signature-256": hex(secret, body) }),
  },
  discourse: {
    ...named,
    body: '{"post":{"id":1}}',
    headers: ({ secret, body }) => ({
      "x-discourse-event-signature": `sha256=${hex(secret, body)}`,
      "x-discourse-event-id": idOf(body),
    }),
  },
  docusign: {
    ...named,
    body: '{"event":"envelope-completed","retryCount":0,"generatedDateTime":"2026-12-01T00:00:00Z","data":{"envelopeId":"1"}}',
    bodyOfRetry:
      '{"event":"envelope-completed","retryCount":1,"generatedDateTime":"2026-12-01T00:00:00Z","data":{"envelopeId":"1"}}',
    otherBody:
      '{"event":"envelope-completed","retryCount":0,"generatedDateTime":"2026-12-01T00:00:00Z","data":{"envelopeId":"2"}}',
    headers: ({ secret, body }) => ({
      "x-docusign-signature-1": base64("the key before", body),
      "x-docusign-signature-2": base64(secret, body),
    }),
  },
  dropbox: {
    ...named,
    body: '{"list_folder":{"accounts":["dbid:1"]}}',
    headers: ({ secret, body }) => ({ "x-dropbox-signature": hex(secret, body) }),
  },
  gitea: {
    ...named,
    body: '{"ref":"refs/heads/main","after":"1"}',
    headers: ({ secret, body }) => ({ "x-gitea-signature": hex(secret, body), "x-gitea-delivery": idOf(body) }),
  },
  jotform: {
    secret: "a-key",
    contentType: MULTIPART,
    body: multipart({ formID: "231", submissionID: "5111", rawRequest: '{"q3_name":"Ada"}' }),
    otherBody: multipart({ formID: "231", submissionID: "5112", rawRequest: '{"q3_name":"Ada"}' }),
    signsBody: false,
    url: (address, { secret }) => `${address}?secret=${secret}`,
    headers: () => ({}),
  },
  kick: {
    secret: rsaSpki,
    body: '{"message_id":"1","content":"hi"}',
    headers: ({ body, at }) => ({
      "kick-event-message-id": idOf(body),
      "kick-event-message-timestamp": iso(at),
      "kick-event-signature": rsaSign(`${idOf(body)}.${iso(at)}.${body}`),
    }),
  },
  mailgun_routes: {
    secret: "a-signing-key",
    contentType: MULTIPART,
    body: "",
    signsBody: false,
    headers: () => ({}),
  },
  mux: {
    ...named,
    body: '{"type":"video.asset.ready","id":"1"}',
    headers: ({ secret, body, at }) => ({ "mux-signature": `t=${at},v1=${hex(secret, `${at}.${body}`)}` }),
  },
  pagerduty: {
    ...named,
    body: '{"event":{"id":"01","event_type":"incident.triggered"}}',
    headers: ({ secret, body }) => ({
      "x-pagerduty-signature": `v1=${hex("the secret before", body)},v1=${hex(secret, body)}`,
    }),
  },
  patreon: {
    ...named,
    body: '{"data":{"type":"member","id":"1"}}',
    headers: ({ secret, body }) => ({ "x-patreon-signature": createHmac("md5", secret).update(body).digest("hex") }),
  },
  plex: {
    secret: "a-key",
    contentType: MULTIPART,
    body: multipart({ payload: '{"event":"media.pause"}' }),
    signsBody: false,
    url: (address, { secret }) => `${address}?secret=${secret}`,
    headers: () => ({}),
  },
  sentry: {
    ...named,
    body: '{"action":"created","data":{"issue":{"id":"1"}}}',
    headers: ({ secret, body }) => ({ "sentry-hook-signature": hex(secret, body) }),
  },
  twitch: {
    ...named,
    body: '{"subscription":{"id":"1"},"event":{"user_id":"1"}}',
    headers: ({ secret, body, at }) => {
      const time = iso(at).replace("Z", "123456Z");
      return {
        "twitch-eventsub-message-id": idOf(body),
        "twitch-eventsub-message-timestamp": time,
        "twitch-eventsub-message-type": "notification",
        "twitch-eventsub-message-signature": `sha256=${hex(secret, idOf(body) + time + body)}`,
      };
    },
  },
  vercel: {
    ...named,
    body: '{"id":"uev_1","type":"deployment.created","payload":{}}',
    headers: ({ secret, body }) => ({ "x-vercel-signature": createHmac("sha1", secret).update(body).digest("hex") }),
  },
  webflow: {
    ...named,
    body: '{"triggerType":"form_submission","payload":{"id":"1"}}',
    headers: ({ secret, body, at }) => ({
      "x-webflow-timestamp": String(at * 1_000),
      "x-webflow-signature": hex(secret, `${at * 1_000}:${body}`),
    }),
  },
  workos: {
    ...named,
    body: '{"id":"wh_1","event":"dsync.user.created"}',
    headers: ({ secret, body, at }) => ({
      "workos-signature": `t=${at * 1_000}, v1=${hex(secret, `${at * 1_000}.${body}`)}`,
    }),
  },
};

/** Builds the body of a sender that signs in the body. `id` is that of the event. */
export const SIGNED_BODIES: Record<string, (id: string, signing: { secret: string; at: number }) => string> = {
  mailgun: (id, { secret, at }) => {
    const signature = { timestamp: String(at), token: "t", signature: hex(secret, `${at}t`) };
    return JSON.stringify({ signature, "event-data": { id, event: "opened" } });
  },
  mailgun_routes: (id, { secret, at }) =>
    multipart({
      "Message-Id": `<${id}@example.com>`,
      timestamp: String(at),
      token: "t",
      signature: hex(secret, `${at}t`),
    }),
  adyen: (id, { secret }) => {
    const text = `${adyen.psp}::TestMerchant:${adyen.reference}:1130:EUR:AUTHORISATION:true`;
    const body = adyenBody(base64(Buffer.from(secret, "hex"), text.replace(adyen.psp, `${adyen.psp}${id}`)));
    return body.replace(adyen.psp, `${adyen.psp}${id}`);
  },
};
