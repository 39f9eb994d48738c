import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { request } from "#lib/api/webhooks/webhook.fixture";
import type { ApiError } from "#lib/contract/error/api-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { addTrigger, runsOf } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

process.env.RUNS_PER_USER_PER_HOUR = "0";
const workspace = await addWorkspace();
afterAll(() => {
  delete process.env.RUNS_PER_USER_PER_HOUR;
});

const add = (verification: JsonObject, secret: string) =>
  addTrigger(workspace, { kind: "webhook", scheme: "custom", secret, verification });

test("a trigger verifies and recognizes the deliveries of a sender that it describes", async () => {
  const trigger = await add(
    {
      type: "hmac",
      signature: { header: "x-acme-signature", part: "sig" },
      prefix: "V2:",
      encoding: "base64",
      algorithm: "sha512",
      signed: "{header:x-acme-id}.{timestamp}.{body}",
      timestamp: { from: { header: "x-acme-signature", part: "at" }, unit: "milliseconds" },
      delivery_id: [{ header: "x-acme-id" }],
      challenges: [
        {
          method: "GET",
          when: [{ at: { query: "check" }, equals: null }],
          is_signed: false,
          respond: { text: "{query:check}" },
        },
      ],
    },
    "acme-secret",
  );
  const path = `/webhooks/${trigger.subscriptionId}`;
  const send = (id: string, { at = Date.now(), secret = "acme-secret", body = '{"a":1}' } = {}) => {
    const signature = createHmac("sha512", secret).update(`${id}.${at}.${body}`).digest("base64");
    const headers = { "x-acme-id": id, "x-acme-signature": `at=${at}; sig=v2:${signature}` };
    return request("POST", path, { headers, body });
  };
  expect((await send("1")).status).toBe(202);
  expect((await send("1")).status).toBe(200);
  expect((await send("2", { at: Date.now() - 301_000 })).status).toBe(401);
  expect((await send("2", { secret: "other" })).status).toBe(401);
  expect(await runsOf(trigger)).toHaveLength(1);
  expect(await request("GET", `${path}?check=ok`)).toMatchObject({ status: 200, text: "ok" });
  expect((await request("GET", path)).status).toBe(405);
});

test.each(["raw-hex", "raw-base64", "spki-base64"] as const)(
  "a sender can sign with an Ed25519 key: %s",
  async (key) => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const der = publicKey.export({ format: "der", type: "spki" });
    const secret =
      key === "spki-base64" ? der.toString("base64") : der.subarray(-32).toString(key === "raw-hex" ? "hex" : "base64");
    const trigger = await add(
      { type: "public_key", signature: { header: "x-sig" }, encoding: "base64", algorithm: "ed25519", key },
      secret,
    );
    const send = (body: string, signed: string) =>
      request("POST", `/webhooks/${trigger.subscriptionId}`, {
        headers: { "x-sig": sign(null, Buffer.from(signed), privateKey).toString("base64") },
        body,
      });
    expect((await send("{}", "{}")).status).toBe(202);
    expect((await send("{ }", "{}")).status).toBe(401);
  },
);

test("a key of another kind than the description says would verify nothing, so it can't be published", async () => {
  const { publicKey } = generateKeyPairSync("x25519");
  const secret = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  const verification = { type: "public_key", signature: { header: "x-sig" }, algorithm: "ecdsa-sha256" };
  await expect(add({ ...verification, key: "spki-base64" }, secret)).rejects.toMatchObject({
    code: "PUBLISH_VALIDATION_FAILED",
    details: [{ field: "secret", message: expect.stringContaining("it must be an ECDSA public key") }],
  });
});

test("a token is accepted as a bearer, as basic credentials and in the query, and only whole", async () => {
  const cases: [JsonObject, (secret: string) => { search?: string; headers?: Record<string, string> }][] = [
    [
      { token: { header: "authorization" }, prefix: "Bearer " },
      (text) => ({ headers: { authorization: `bearer ${text}` } }),
    ],
    [
      { token: { header: "authorization" }, prefix: "Basic ", encoding: "base64" },
      (text) => ({ headers: { authorization: `Basic ${Buffer.from(text).toString("base64")}` } }),
    ],
    [{ token: { query: "key" } }, (text) => ({ search: `?key=${text}` })],
  ];
  for (const [verification, prove] of cases) {
    const trigger = await add({ type: "token", ...verification }, "user:a-token");
    for (const [text, status] of [
      ["user:a-token", 202],
      ["user:a-toke", 401],
      ["user:a-tokenx", 401],
      ["", 401],
    ] as const) {
      const { search = "", headers } = prove(text);
      const answer = await request("POST", `/webhooks/${trigger.subscriptionId}${search}`, { headers, body: "{}" });
      expect(answer.status, `${JSON.stringify(verification)} ${text}`).toBe(status);
    }
  }
});

test("a description with a mistake is not published, and the refusal names the field", async () => {
  const refusal = await add({ type: "hmac", signature: { header: "x sig" } }, "s").catch((error: ApiError) => error);
  expect(refusal).toMatchObject({ code: "PUBLISH_VALIDATION_FAILED" });
  expect(JSON.stringify(refusal)).toContain("verification.signature");
});
