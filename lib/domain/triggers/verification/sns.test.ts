import { createSign } from "node:crypto";
import { expect, test } from "vitest";
import { WEBHOOK_SENDERS } from "#lib/contract/webhooks/senders";
import { webhookVerification } from "#lib/contract/webhooks/verification";
import type { OutgoingRequest, OutgoingResponse, SendRequest } from "#lib/core/engine/outgoing-request";
import { CERTIFICATE, PRIVATE_KEY } from "#lib/domain/triggers/verification/certificate.fixture";
import { valuesOf } from "#lib/domain/triggers/verification/delivery";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { fetchCertificate } from "#lib/domain/triggers/verification/fetch-certificate";
import { verifySignature } from "#lib/domain/triggers/verification/verify-signature";
import { confirmAddress } from "#lib/domain/triggers/webhooks/confirm-address";

const RULE = { scheme: "sns", algorithm: "sha256", encoding: "hex", tolerance_seconds: 300 } as const;
const TOPIC = "arn:aws:sns:eu-central-1:123456789012:orders";
const NOW = new Date("2026-12-01T00:00:00.000Z");
const HOST = "https://sns.eu-central-1.amazonaws.com";

let names = 0;
function newUrl(): string {
  names += 1;
  return `${HOST}/SimpleNotificationService-${names.toString(16).padStart(32, "a")}.pem`;
}

const NOTIFICATION = ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"];
const CONFIRMATION = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];

/** Signs a message as the documentation of SNS says: name and value of each field that it has, each on a line. */
function message(
  fields: Record<string, string>,
  { after = {}, url = newUrl() }: { after?: object; url?: string } = {},
) {
  const all: Record<string, string> = {
    TopicArn: TOPIC,
    Timestamp: NOW.toISOString(),
    SignatureVersion: "2",
    ...fields,
  };
  const names = all.Type === "Notification" ? NOTIFICATION : CONFIRMATION;
  const text = names.flatMap((name) => (all[name] === undefined ? [] : [`${name}\n${all[name]}\n`])).join("");
  const hash = all.SignatureVersion === "1" ? "sha1" : "sha256";
  const Signature = createSign(hash).update(text).sign(PRIVATE_KEY, "base64");
  const body = JSON.stringify({ ...all, Signature, SigningCertURL: url, UnsubscribeURL: `${HOST}/?x`, ...after });
  return deliveryOf({ body, headers: { "content-type": "text/plain; charset=UTF-8" }, receivedAt: NOW });
}

function answering(response: Partial<OutgoingResponse> = {}) {
  const asked: OutgoingRequest[] = [];
  const send: SendRequest = async (request) => {
    asked.push(request);
    return { status: 200, headers: {}, body: Buffer.from(CERTIFICATE), ...response };
  };
  return { asked, send };
}

async function isGenuine(delivery: ReturnType<typeof message>, { secret = TOPIC, send = answering().send } = {}) {
  const certificate = await fetchCertificate(RULE, delivery, send);
  return verifySignature({ ...RULE, secret }, delivery, certificate).isGenuine;
}

const NOTICE = { Type: "Notification", MessageId: "m1", Message: '{"order":1}' };

test("a notification is genuine with SHA-1 and SHA-256, with and without a subject", async () => {
  for (const SignatureVersion of ["1", "2"]) {
    expect(await isGenuine(message({ ...NOTICE, SignatureVersion }))).toBe(true);
    expect(await isGenuine(message({ ...NOTICE, SignatureVersion, Subject: "Zoë\nand more" }))).toBe(true);
  }
});

test.each<[string, object]>([
  ["another message", { Message: "{}" }],
  ["a subject that was not signed", { Subject: "x" }],
  ["another topic", { TopicArn: `${TOPIC}2` }],
  ["another digest", { SignatureVersion: "1" }],
  ["a digest that does not exist", { SignatureVersion: "3" }],
  ["no digest", { SignatureVersion: undefined }],
  ["no signature", { Signature: undefined }],
  ["an object as its message", { Message: {} }],
])("a notification is refused with %s", async (_name, after) => {
  expect(await isGenuine(message(NOTICE, { after }))).toBe(false);
});

test("a genuine message of another topic is refused: anyone can have SNS sign one", async () => {
  expect(await isGenuine(message({ ...NOTICE, TopicArn: "arn:aws:sns:eu-central-1:999999999999:evil" }))).toBe(false);
  expect(await isGenuine(message(NOTICE), { secret: "arn:aws:sns:eu-central-1:999999999999:evil" })).toBe(false);
});

test.each([
  "http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-aa.pem",
  "https://sns.s3-eu-west-1.amazonaws.com/SimpleNotificationService-aa.pem",
  "https://sns.eu-central-1.amazonaws.com.evil.example/SimpleNotificationService-aa.pem",
  "https://sns.eu-central-1.amazonaws.com@evil.example/SimpleNotificationService-aa.pem",
  "https://sns.eu-central-1.amazonaws.com:8443/SimpleNotificationService-aa.pem",
  "https://evil.example/https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-aa.pem",
  "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-aa.pem?x=1",
  "https://sns.eu-central-1.amazonaws.com/../SimpleNotificationService-aa.pem",
  "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-aa.pem\n",
  "https://169.254.169.254/SimpleNotificationService-aa.pem",
])("no certificate is fetched from %s", async (url) => {
  const { asked, send } = answering();
  expect(await isGenuine(message(NOTICE, { url }), { send })).toBe(false);
  expect(asked).toEqual([]);
});

test.each(["us-east-1", "ap-southeast-2", "us-gov-west-1"])("a certificate of %s is fetched", async (region) => {
  const url = newUrl().replace("eu-central-1", region);
  expect(await isGenuine(message(NOTICE, { url }))).toBe(true);
});

const verification = webhookVerification.parse(WEBHOOK_SENDERS.sns.verification);
const SUBSCRIBE = `${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37`;
const REQUEST = { Type: "SubscriptionConfirmation", MessageId: "m2", Token: "2336412f37", Message: "You have chosen" };

test("a subscription is confirmed by calling its address, once its request has proved to be genuine", async () => {
  const delivery = message({ ...REQUEST, SubscribeURL: SUBSCRIBE });
  expect(await isGenuine(delivery)).toBe(true);
  const { asked, send } = answering();
  expect(await confirmAddress(verification, valuesOf(delivery), send)).toMatchObject({ status: 200 });
  expect(asked.map(({ method, url, redirectsOnHost }) => [method, url, redirectsOnHost])).toEqual([
    ["GET", SUBSCRIBE, 0],
  ]);
  const failing = answering({ status: 500 });
  await expect(confirmAddress(verification, valuesOf(delivery), failing.send)).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
  });
});

test.each([
  "http://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=1",
  "https://evil.example/?Action=ConfirmSubscription&Token=1",
  "https://sns.eu-central-1.amazonaws.com/?Action=Unsubscribe&Token=1",
  "https://sns.eu-central-1.amazonaws.com.evil.example/?Action=ConfirmSubscription&Token=1",
])("no other address is called: %s", async (SubscribeURL) => {
  const { asked, send } = answering();
  expect(await confirmAddress(verification, valuesOf(message({ ...REQUEST, SubscribeURL })), send)).toBeNull();
  expect(
    await confirmAddress(verification, valuesOf(message({ ...NOTICE, SubscribeURL: SUBSCRIBE })), send),
  ).toBeNull();
  expect(asked).toEqual([]);
});
