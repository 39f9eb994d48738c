import "@shopify/shopify-api/adapters/web-api";
import { Signature as HubSpot } from "@hubspot/api-client";
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import { verify as verifyGitHub } from "@octokit/webhooks-methods";
import { Paddle } from "@paddle/paddle-node-sdk";
import { EventWebhook } from "@sendgrid/eventwebhook";
import { ApiVersion, LogSeverity, shopifyApi } from "@shopify/shopify-api";
import { isValidSlackRequest } from "@slack/bolt";
import { verifyKey } from "discord-interactions";
import { WebhooksHelper } from "square";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import twilio from "twilio";
import { expect, test } from "vitest";
import { type SampledSender, sendAs } from "#lib/domain/triggers/verification/send-as.fixture";
import { SENDER_SAMPLES } from "#lib/domain/triggers/verification/sender-samples.fixture";

interface Received {
  secret: string;
  url: string;
  body: string;
  headers: Record<string, string>;
  at: number;
}

const stripe = new Stripe("sk_test_1");

/** How each service's own library verifies a request. Some throw if it is not genuine. */
const LIBRARIES = {
  standard: ({ secret, body, headers }) => Boolean(new StandardWebhook(secret).verify(body, headers)),
  svix: ({ secret, body, headers }) => {
    new SvixWebhook(secret).verify(body, headers);
    return true;
  },
  stripe: ({ secret, body, headers }) =>
    Boolean(stripe.webhooks.constructEvent(body, headers["stripe-signature"] ?? "", secret)),
  github: ({ secret, body, headers }) => verifyGitHub(secret, body, headers["x-hub-signature-256"] ?? ""),
  twilio: ({ secret, body, headers, url }) =>
    twilio.validateRequest(
      secret,
      headers["x-twilio-signature"] ?? "",
      url,
      Object.fromEntries(new URLSearchParams(body)),
    ),
  discord: ({ secret, body, headers, at }) => verifyKey(body, headers["x-signature-ed25519"] ?? "", String(at), secret),
  paddle: ({ secret, body, headers }) =>
    new Paddle("key").webhooks.isSignatureValid(body, secret, headers["paddle-signature"] ?? ""),
  sendgrid: ({ secret, body, headers, at }) => {
    const events = new EventWebhook();
    const key = events.convertPublicKeyToECDSA(secret);
    return events.verifySignature(key, body, headers["x-twilio-email-event-webhook-signature"] ?? "", String(at));
  },
  square: ({ secret, body, headers, url }) =>
    WebhooksHelper.verifySignature({
      requestBody: body,
      signatureHeader: headers["x-square-hmacsha256-signature"] ?? "",
      signatureKey: secret,
      notificationUrl: url,
    }),
  hubspot: ({ secret, body, headers, url, at }) =>
    HubSpot.isValid({
      signature: headers["x-hubspot-signature-v3"] ?? "",
      clientSecret: secret,
      requestBody: body,
      signatureVersion: "v3",
      url,
      method: "POST",
      timestamp: at * 1_000,
    }),
  linear: ({ secret, body, headers }) =>
    new LinearWebhookClient(secret).verify(Buffer.from(body), headers["linear-signature"] ?? ""),
  slack: ({ secret, body, headers, at }) =>
    isValidSlackRequest({
      signingSecret: secret,
      body,
      headers: { "x-slack-signature": headers["x-slack-signature"] ?? "", "x-slack-request-timestamp": at },
    }),
  shopify: async ({ secret, body, headers, url }) => {
    const required = { "x-shopify-topic": "orders/create", "x-shopify-shop-domain": "a.myshopify.com" };
    const rawRequest = new Request(url, {
      method: "POST",
      headers: { ...headers, ...required, "x-shopify-api-version": "2026-01" },
    });
    const { webhooks } = shopifyApi({
      apiKey: "key",
      apiSecretKey: secret,
      hostName: "signalbox.example.com",
      apiVersion: ApiVersion.January26,
      isEmbeddedApp: false,
      logger: { level: LogSeverity.Error },
    });
    return (await webhooks.validate({ rawBody: body, rawRequest })).valid;
  },
} satisfies Partial<Record<SampledSender, (received: Received) => boolean | Promise<boolean>>>;

const accepts = async (name: keyof typeof LIBRARIES, received: Received) => {
  try {
    return await LIBRARIES[name](received);
  } catch {
    return false;
  }
};

test.each(Object.keys(LIBRARIES) as (keyof typeof LIBRARIES)[])(
  "the library of %s accepts the sample that Signalbox accepts, and not another body",
  async (name) => {
    const at = Math.floor(Date.now() / 1_000);
    const sent = await sendAs(name, "https://signalbox.example.com/webhooks/0b9b3d1e", { at });
    const received = { ...sent, at, secret: SENDER_SAMPLES[name].secret };
    expect(await accepts(name, received)).toBe(true);
    const body = name === "twilio" ? `${sent.body}&Extra=1` : sent.body.replace("}", ' ,"x":9}');
    expect(await accepts(name, { ...received, body })).toBe(false);
  },
);
