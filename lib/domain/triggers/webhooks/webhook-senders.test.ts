import { describe, expect, test } from "vitest";
import { WEBHOOK_SENDER_NAMES } from "#lib/contract/webhooks/senders";
import { readEvent } from "#lib/core/redaction/read-event";
import { bodyIdPaths, deliveryId } from "#lib/domain/triggers/deliveries/delivery-id";
import type { Delivery } from "#lib/domain/triggers/verification/delivery";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { SIGNED_BODIES } from "#lib/domain/triggers/verification/more-sender-samples.fixture";
import {
  otherBodies,
  SAMPLED_SENDERS,
  type SampledSender,
  sendAs,
} from "#lib/domain/triggers/verification/send-as.fixture";
import {
  SENDER_SAMPLES,
  type SenderSample,
  WITH_CERTIFICATE,
} from "#lib/domain/triggers/verification/sender-samples.fixture";
import { verifySignature } from "#lib/domain/triggers/verification/verify-signature";
import { chosenVerification } from "#lib/domain/triggers/verification/webhook-rule";

const ADDRESS = "https://signalbox.example.com/webhooks/0b9b3d1e";
const NOW = 1_790_000_000;

async function send(name: SampledSender, change: { secret?: string; at?: number; body?: string } = {}) {
  const sent = await sendAs(name, ADDRESS, { at: NOW, ...change });
  return deliveryOf({ ...sent, receivedAt: new Date(NOW * 1_000) });
}

function ruleOf(scheme: SampledSender) {
  return { scheme, algorithm: "sha256", encoding: "hex", tolerance_seconds: 300 } as const;
}

const isGenuine = (name: SampledSender, secret: string, delivery: Delivery) =>
  verifySignature({ ...ruleOf(name), secret }, delivery).isGenuine;

function idOf(name: SampledSender, delivery: Delivery): string | null {
  const rule = { places: chosenVerification(ruleOf(name))?.delivery_id ?? null, isSigned: true };
  const idPaths = bodyIdPaths(rule);
  const { body, headers } = delivery;
  return deliveryId(
    rule,
    delivery,
    readEvent({ body, receivedAt: "", contentType: headers.get("content-type"), idPaths }).ids,
  );
}

test("every sender but those with a certificate, which have tests of their own, has a sample", () => {
  expect([...SAMPLED_SENDERS, ...WITH_CERTIFICATE].toSorted()).toEqual(WEBHOOK_SENDER_NAMES.toSorted());
});

/** Two equal requests of theirs are two events. */
const MEAN_EACH: SampledSender[] = ["dropbox", "plex"];

describe.each(SAMPLED_SENDERS)("a delivery of %s", (name) => {
  const { secret } = SENDER_SAMPLES[name];

  test("is genuine, and with another secret it is not", async () => {
    const delivery = await send(name);
    expect(verifySignature({ ...ruleOf(name), secret }, delivery)).toEqual({ isGenuine: true, scheme: name });
    expect(isGenuine(name, `${secret}x`, delivery)).toBe(false);
    expect(isGenuine(name, secret.slice(1), delivery)).toBe(false);
  });

  test("is refused without its proof", async () => {
    const body = name in SIGNED_BODIES ? "{}" : (await send(name)).body;
    expect(isGenuine(name, secret, deliveryOf({ url: ADDRESS, body }))).toBe(false);
  });

  test("is recognized when it is sent again, and another event is not taken for it", async () => {
    if (MEAN_EACH.includes(name)) return expect(idOf(name, await send(name))).toBeNull();
    const { again, other } = otherBodies(name);
    const id = idOf(name, await send(name));
    expect(id).not.toBeNull();
    expect(idOf(name, await send(name, { body: again }))).toBe(id);
    expect(idOf(name, await send(name, { body: other }))).not.toBe(id);
  });
});

const SIGN_THE_BODY = SAMPLED_SENDERS.filter((name) => (SENDER_SAMPLES[name] as SenderSample).signsBody !== false);
/** They prove only that they know the secret, as their services document it. */
const PROVE_THEMSELVES = "adyen gitlab jotform mailchimp mailgun mailgun_routes monday pipedrive plex telegram".split(
  " ",
);

test("every other sender signs the body", () => {
  expect([...SIGN_THE_BODY, ...PROVE_THEMSELVES].toSorted()).toEqual(SAMPLED_SENDERS.toSorted());
});

test.each(SIGN_THE_BODY)("a delivery of %s is refused if the body was changed", async (name) => {
  const delivery = await send(name);
  for (const body of [`${delivery.body} `, otherBodies(name).other, ""]) {
    expect(isGenuine(name, SENDER_SAMPLES[name].secret, { ...delivery, body: Buffer.from(body) }), body).toBe(false);
  }
});

const TIMED = SAMPLED_SENDERS.filter((name) => chosenVerification(ruleOf(name))?.timestamp !== undefined);

test("the senders that write the time are known", () => {
  expect(TIMED.toSorted()).toEqual(
    (
      "box calendly discord hubspot kick linear mailgun mailgun_routes mux paddle sendgrid slack standard " +
      "standard_public_key stripe supabase svix twitch webflow workos zendesk zoom"
    ).split(" "),
  );
});

test.each(TIMED)("a delivery of %s is refused if it is too old, or from the future", async (name) => {
  for (const [late, accepted] of [
    [300, true],
    [301, false],
    [-300, true],
    [-302, false],
  ] as const) {
    const delivery = await send(name, { at: NOW - late });
    expect(isGenuine(name, SENDER_SAMPLES[name].secret, delivery), `${late} s`).toBe(accepted);
  }
});

test("a token of monday.com is refused after it has expired, and with another algorithm", async () => {
  const { secret } = SENDER_SAMPLES.monday;
  expect(isGenuine("monday", secret, await send("monday", { at: NOW - 3_600 }))).toBe(false);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const token of [
    `${part({ alg: "none" })}.${part({})}.`,
    `${part({ alg: "none" })}.${part({})}.AA`,
    "a.b",
    ".",
  ]) {
    const delivery = deliveryOf({ headers: { authorization: token } });
    expect(isGenuine("monday", secret, delivery), token).toBe(false);
  }
});
