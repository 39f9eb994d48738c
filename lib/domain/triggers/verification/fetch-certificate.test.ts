import { createSign } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import type { OutgoingRequest, OutgoingResponse, SendRequest } from "#lib/core/engine/outgoing-request";
import { CERTIFICATE, PRIVATE_KEY } from "#lib/domain/triggers/verification/certificate.fixture";
import type { Delivery } from "#lib/domain/triggers/verification/delivery";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { fetchCertificate } from "#lib/domain/triggers/verification/fetch-certificate";
import { verifySignature } from "#lib/domain/triggers/verification/verify-signature";

const START = "https://api.paypal.com/v1/notifications/certs/";
const RULE = { scheme: "paypal", algorithm: "sha256", encoding: "hex", tolerance_seconds: 300 } as const;
const WEBHOOK_ID = "8PT597110X687430LKGECATA";
const NOW = new Date("2026-12-01T00:00:00.000Z");

let names = 0;
/** A name that no other test has fetched. */
function newUrl(): string {
  names += 1;
  return `${START}CERT-360caa42-${names}`;
}

function paypal(change: {
  url?: string;
  body?: string;
  at?: Date;
  receivedAt?: Date;
  headers?: Record<string, string>;
}): Delivery {
  const {
    url = newUrl(),
    body = '{"id":"WH-1","event_type":"PAYMENT.SALE.COMPLETED"}',
    at = NOW,
    headers = {},
  } = change;
  const [id, time] = ["69cd13f0-d67a-11e5-baa3-778b53f4ae55", at.toISOString().replace(".000Z", "Z")];
  const signed = `${id}|${time}|${WEBHOOK_ID}|${crc32(body)}`;
  return deliveryOf({
    body,
    receivedAt: change.receivedAt ?? NOW,
    headers: {
      "paypal-transmission-id": id,
      "paypal-transmission-time": time,
      "paypal-transmission-sig": createSign("sha256").update(signed).sign(PRIVATE_KEY, "base64"),
      "paypal-cert-url": url,
      ...headers,
    },
  });
}

/** A sender of requests that answers with the certificate, and keeps what it was asked. */
function answering(response: Partial<OutgoingResponse> = {}) {
  const asked: OutgoingRequest[] = [];
  const send: SendRequest = async (request) => {
    asked.push(request);
    return { status: 200, headers: {}, body: Buffer.from(CERTIFICATE), ...response };
  };
  return { asked, send };
}

async function isGenuine(delivery: Delivery, send: SendRequest, secret = WEBHOOK_ID): Promise<boolean> {
  return verifySignature({ ...RULE, secret }, delivery, await fetchCertificate(RULE, delivery, send)).isGenuine;
}

describe("a delivery of PayPal", () => {
  test("is genuine if the key of PayPal's certificate signed its body for this webhook", async () => {
    const { asked, send } = answering();
    const delivery = paypal({});
    expect(await isGenuine(delivery, send)).toBe(true);
    expect(asked).toEqual([expect.objectContaining({ method: "GET", redirectsOnHost: 0, headers: {} })]);
    expect(await isGenuine(delivery, send, "another-webhook")).toBe(false);
    expect(await isGenuine({ ...delivery, body: Buffer.from('{"id":"WH-2"}') }, send)).toBe(false);
    expect(await isGenuine(paypal({ headers: { "paypal-transmission-sig": "AAAA" } }), send)).toBe(false);
    expect(await isGenuine(paypal({ headers: { "paypal-transmission-id": "other" } }), send)).toBe(false);
  });

  test("is refused without a call if it is old, or names an address that is not PayPal's", async () => {
    const { asked, send } = answering();
    const urls = [
      "https://evil.example/v1/notifications/certs/CERT-1",
      "http://api.paypal.com/v1/notifications/certs/CERT-1",
      "https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1",
      "https://api.paypal.com@evil.example/v1/notifications/certs/CERT-1",
      `${START}../../oauth2/token`,
      `${START}CERT-1?redirect=https://evil.example`,
      `${START}CERT-1#x`,
      `${START}%2e%2e`,
      START,
      `${START}${"x".repeat(101)}`,
      "file:///etc/passwd",
      "",
    ];
    for (const url of urls) expect(await isGenuine(paypal({ url }), send), url).toBe(false);
    for (const late of [-302, 301]) {
      expect(await isGenuine(paypal({ at: new Date(NOW.getTime() - late * 1_000) }), send), `${late} s`).toBe(false);
    }
    expect(asked).toEqual([]);
  });

  test("is refused if the certificate cannot be had, is too large, or is not valid now", async () => {
    const answers: Partial<OutgoingResponse>[] = [
      { status: 404 },
      { status: 302 },
      { body: Buffer.from("<html>") },
      { body: Buffer.alloc(LIMITS.certificateBytes + 1) },
    ];
    for (const answer of answers) expect(await isGenuine(paypal({}), answering(answer).send)).toBe(false);
    const unreachable: SendRequest = () => Promise.reject(new Error("unreachable"));
    expect(await isGenuine(paypal({}), unreachable)).toBe(false);
    const { send } = answering();
    for (const at of [new Date("2020-01-01T00:00:00.000Z"), new Date("2200-01-01T00:00:00.000Z")]) {
      expect(await isGenuine(paypal({ at, receivedAt: at }), send), at.toISOString()).toBe(false);
    }
  });

  test("fetches a certificate once, also if its deliveries arrive at the same time", async () => {
    const { asked, send } = answering();
    const url = newUrl();
    const results = await Promise.all([1, 2, 3].map(() => isGenuine(paypal({ url }), send)));
    expect([...results, await isGenuine(paypal({ url }), send)]).toEqual([true, true, true, true]);
    expect(asked).toHaveLength(1);
  });

  test("is verified although others name certificates that never arrive", async () => {
    const { send } = answering();
    const url = newUrl();
    expect(await isGenuine(paypal({ url }), send)).toBe(true);
    const stop = new AbortController();
    let calls = 0;
    const hanging: SendRequest = () => {
      calls += 1;
      return new Promise((_, reject) => stop.signal.addEventListener("abort", () => reject(new Error("stopped"))));
    };
    const forged = Array.from({ length: 50 }, () => isGenuine(paypal({}), hanging));
    expect(await isGenuine(paypal({ url }), hanging)).toBe(true);
    expect(calls).toBe(LIMITS.certificatesFetched);
    stop.abort();
    expect(await Promise.all(forged)).toEqual(forged.map(() => false));
    expect(await isGenuine(paypal({}), send)).toBe(true);
  });
});
