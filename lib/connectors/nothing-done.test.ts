import { afterAll, expect, test } from "vitest";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { startVendor, type VendorAnswer } from "#lib/connectors/sdk/vendor.fixture";
import { callBitrix24 } from "#lib/connectors/vendors/bitrix24/call-bitrix24";
import { writeOneToKommo } from "#lib/connectors/vendors/kommo/kommo-request";
import { callTelegram } from "#lib/connectors/vendors/telegram/call-telegram";

// Answers with the status 200 that say that nothing was done.

const NOW = new Date("2026-03-01T12:00:00Z");
const client = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
const vendor = await startVendor(() => null);
const signal = AbortSignal.timeout(60_000);
const service: ServiceContext = { settings: { base_url: vendor.url }, send: client.send, signal, now: () => NOW };
afterAll(async () => {
  vendor.close();
  await client.close();
});

const refused = (message: RegExp) => ({ reason: "service_refused", message: expect.stringMatching(message) });

test.each<[VendorAnswer]>([[{ json: { result: false, time: {} } }], [{ json: { result: { task: false } } }]])(
  "Bitrix24: %j",
  async (answer) => {
    vendor.failures.push(answer);
    await expect(callBitrix24(service, "crm.deal.update")).rejects.toMatchObject(
      refused(/did nothing.*crm\.deal\.update/),
    );
  },
);

test("Bitrix24: true, 0 rows and an empty list are results", async () => {
  for (const result of [true, 0, [], { task: true }, { count: 0 }, { a: false, b: true }]) {
    vendor.failures.push({ json: { result } });
    expect(await callBitrix24(service, "any")).toMatchObject({ result });
  }
});

test.each<[VendorAnswer, number | undefined]>([
  [{ status: 503, json: { error: "QUERY_LIMIT_EXCEEDED" } }, 1_000],
  [{ status: 200, json: { error: "QUERY_LIMIT_EXCEEDED" } }, 1_000],
  [
    { status: 429, json: { error: "OPERATION_TIME_LIMIT", time: { operating_reset_at: NOW.getTime() / 1_000 + 42 } } },
    42_000,
  ],
  [{ status: 429, json: { error: { code: "OPERATION_TIME_LIMIT", message: "x" } } }, undefined],
])("Bitrix24's limit %j asks to wait %s ms", async (answer, retryAfterMs) => {
  // The service's own clock counts, so the answer must have the time of the test.
  vendor.failures.push({ ...answer, headers: { date: NOW.toUTCString() } });
  const error: unknown = await callBitrix24(service, "any").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "RATE_LIMITED" });
  expect((error as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs);
});

test("Kommo: errors in place of the object, and next to it", async () => {
  const write = () => writeOneToKommo(service, { method: "POST", path: "/api/v4/leads", one: { name: "x" } });
  const errors = [{ request_id: "0", detail: "Pipeline is unknown" }];
  for (const embedded of [{ errors }, { errors, leads: [] }]) {
    vendor.failures.push({ json: { _embedded: embedded } });
    await expect(write()).rejects.toMatchObject(refused(/Pipeline is unknown/));
  }
  vendor.failures.push({ json: { _embedded: { errors: [], leads: [{ id: 7 }] } } });
  expect(await write()).toEqual({ id: 7 });
});

test("Telegram: ok is false", async () => {
  const told = (json: object) => vendor.failures.push({ json: { ok: false, ...json } });
  told({ error_code: 400, description: "Bad Request: chat not found" });
  await expect(callTelegram(service, "sendMessage")).rejects.toMatchObject(refused(/chat not found/));
  told({ error_code: 429, description: "Too Many Requests", parameters: { retry_after: 5 } });
  await expect(callTelegram(service, "sendMessage")).rejects.toMatchObject({
    code: "RATE_LIMITED",
    retryAfterMs: 5_000,
  });
  told({ error_code: 502, description: "Bad Gateway" });
  await expect(callTelegram(service, "sendMessage")).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  told({});
  await expect(callTelegram(service, "sendMessage")).rejects.toMatchObject(refused(/gave no reason/));
});
