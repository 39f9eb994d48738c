import { NextRequest } from "next/server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CLIENT_ADDRESS_HEADER } from "#lib/api/admission/client-address";
import { takeWebhookRequest } from "#lib/api/admission/limit-source";
import { authRoute } from "#lib/api/auth/auth-route";
import { postSignUp } from "#lib/api/auth/sign-up-route";
import { mcpRoute } from "#lib/api/mcp/mcp-edge";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import { post } from "#lib/api/webhooks/webhook.fixture";
import { LIMITS } from "#lib/contract/limits";
import { addKey, TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import type * as verification from "#lib/domain/keys/verify-key";
import { addTrigger, STANDARD_SECRET, signStandard } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

/** How many keys are being looked up, now and at most. */
const looking = vi.hoisted(() => ({ now: 0, most: 0 }));
vi.mock("#lib/domain/keys/verify-key", async (importOriginal) => {
  const original = await importOriginal<typeof verification>();
  return {
    ...original,
    verifyKey: async (rawKey: string) => {
      looking.now += 1;
      looking.most = Math.max(looking.most, looking.now);
      try {
        return await original.verifyKey(rawKey);
      } finally {
        looking.now -= 1;
      }
    },
  };
});

useTestDatabase();

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await addWorkspace();
  // The clock of the buckets: nothing comes back while a test runs.
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterAll(() => vi.useRealTimers());

const from = (address: string) => ({ [CLIENT_ADDRESS_HEADER]: address });
let made = 0;
const guess = () => `svc_${String(made++).padStart(32, "g")}`;
const list = (key: string | null, address: string) => callRest("GET", "/actions", { key, headers: from(address) });

/** Uses up what a source may send with invalid keys. */
async function spend(address: string): Promise<void> {
  for (let n = 0; n < LIMITS.failedKeysBurst; n += 1) await list("svc_malformed", address);
}

describe("requests with invalid keys", () => {
  test("are 401 up to the limit of their source, then 429 with the time to wait; other sources do not notice", async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < LIMITS.failedKeysBurst; n += 1)
      statuses.add((await list("svc_malformed", "203.0.113.1")).status);
    expect([...statuses]).toEqual([401]);
    for (const key of [null, guess()]) {
      const refused = await list(key, "203.0.113.1");
      expect(refused).toMatchObject({
        status: 429,
        body: {
          code: "RATE_LIMIT_EXCEEDED",
          reason: "too_many_failed_keys",
          error: expect.stringContaining("API key"),
        },
      });
      expect(refused.headers.get("retry-after")).toBe("1");
    }
    expect((await list(guess(), "203.0.113.2")).status).toBe(401);
  });

  test("never close a source to valid keys, whether this process knows them or not", async () => {
    await spend("203.0.113.3");
    const { raw_key: rawKey } = await addKey(workspace);
    for (let n = 0; n < 5; n += 1) {
      expect((await list(guess(), "203.0.113.3")).status).toBe(429);
      expect((await list(rawKey, "203.0.113.3")).status).toBe(200);
    }
  });

  test("share one limit over REST and MCP, and over a /64 network", async () => {
    await spend("2001:db8:0:1::1");
    const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "list_actions", arguments: {} } };
    const headers = from("2001:db8:0:1:ffff::2");
    const answer = await mcpRoute(OPERATIONS)(
      new Request("http://localhost/mcp", { method: "POST", headers, body: JSON.stringify(call) }),
    );
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await answer.text()).toContain("too_many_failed_keys");
    expect((await list(guess(), "2001:db8:0:2::1")).status).toBe(401);
  });

  test("include revoked keys", async () => {
    const { key_id: keyId, raw_key: rawKey } = await addKey(workspace);
    await revokeKey({ ...workspace, keyId, actor: TEST_ACTOR });
    expect(await list(rawKey, "203.0.113.4")).toMatchObject({ status: 401, body: { reason: "api_key_revoked" } });
    await spend("203.0.113.4");
    expect((await list(rawKey, "203.0.113.4")).status).toBe(429);
  });

  test("above the limit use one database connection at a time, and none delays a known key", async () => {
    const { raw_key: rawKey } = await addKey(workspace);
    await list(rawKey, "203.0.113.5");
    await spend("203.0.113.5");
    looking.most = 0;
    const flood = Array.from({ length: 50 }, () => list(guess(), "203.0.113.5"));
    expect((await list(rawKey, "203.0.113.5")).status).toBe(200);
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([429]));
    expect(looking).toEqual({ now: 0, most: 1 });
  });
});

describe("requests to sign in and sign up", () => {
  const BASE = "http://localhost:3000";
  const signUp = (address: string) => {
    const headers = { origin: BASE, "content-type": "application/json", ...from(address) };
    return postSignUp(new Request(`${BASE}/api/sign-up`, { method: "POST", headers, body: "{" }));
  };
  const signIn = (address: string) => {
    const url = `${BASE}/api/auth/callback/credentials`;
    const request = new NextRequest(url, { method: "POST", headers: from(address), body: "" });
    return authRoute(request, { params: Promise.resolve({ nextauth: ["callback", "credentials"] }) });
  };

  test("share one limit per source; above it they are refused before the body is read", async () => {
    for (let n = 0; n < LIMITS.signInRequestsBurst; n += 1) {
      expect((await signUp("203.0.113.6")).status).toBe(400);
    }
    for (const answer of [await signUp("203.0.113.6"), await signIn("203.0.113.6")]) {
      expect(answer.status).toBe(429);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(await answer.json()).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", reason: "too_many_attempts" });
    }
    // next-auth's client shows the error that this address names.
    expect(await (await signIn("203.0.113.6")).json()).toMatchObject({ url: `${BASE}/sign-in?error=TooManyAttempts` });
    expect((await signUp("203.0.113.7")).status).toBe(400);
    expect((await signIn("203.0.113.7")).status).not.toBe(429);
  });
});

describe("requests to a webhook address", () => {
  test("have their own limit for each address; above it they are refused before the body is read", async () => {
    const [flooded, quiet] = [uuidv7(), uuidv7()];
    for (let n = 0; n < 2 * LIMITS.webhookRequestsPerMinute; n += 1) {
      // A body that cannot be read shows that the request came as far as its body.
      expect((await post(flooded, null, { "content-length": "2000000" })).status).toBe(413);
    }
    const refused = await post(flooded, null, { "content-length": "2000000" });
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "RATE_LIMIT_EXCEEDED", reason: "too_many_deliveries" },
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // The same address in capitals is no other one.
    expect((await post(flooded.toUpperCase(), null, { "content-length": "2000000" })).status).toBe(429);
    expect((await post(quiet, null, { "content-length": "2000000" })).status).toBe(413);
  });

  test("that are not genuine use up a limit of their source, and never that of genuine ones", async () => {
    const { subscriptionId } = await addTrigger(workspace, {
      kind: "webhook",
      secret: STANDARD_SECRET,
      scheme: "standard",
    });
    const body = '{"order":7}';
    const send = (address: string, id: string) =>
      post(subscriptionId, body, { ...signStandard(body, id), ...from(address) });
    const forge = (address: string) => post(subscriptionId, "x", { "content-length": "2000000", ...from(address) });
    for (let n = 0; n < 2 * LIMITS.webhookRequestsPerMinute; n += 1) {
      expect((await forge("203.0.113.20")).status).toBe(413);
    }
    expect((await forge("203.0.113.20")).status).toBe(429);
    expect((await send("203.0.113.21", "msg_1")).status).toBe(202);
    // A delivery with a wrong signature counts like one that was not read, and a genuine one gives its token back.
    for (let n = 1; n < 2 * LIMITS.webhookRequestsPerMinute; n += 1) await forge("203.0.113.21");
    expect((await post(subscriptionId, body, from("203.0.113.21"))).status).toBe(401);
    expect((await send("203.0.113.21", "msg_2")).status).toBe(429);
    expect((await send("203.0.113.22", "msg_3")).status).toBe(202);
  });

  test("that are genuine share the limit of the address, whatever their source is", () => {
    const address = uuidv7();
    const take = (source: string) => takeWebhookRequest(address, new Headers(from(source)));
    for (let n = 0; n < 2 * LIMITS.webhookRequestsPerMinute; n += 1) take(`203.0.113.${n % 250}`).admit();
    const refusal = expect.objectContaining({ reason: "too_many_deliveries", retryAfterSeconds: 1 });
    expect(() => take("198.51.100.1")).toThrow(refusal);
    expect(() => takeWebhookRequest(uuidv7(), new Headers(from("198.51.100.1"))).admit()).not.toThrow();
  });

  test("have none if the operator says so", async () => {
    const id = uuidv7();
    env().WEBHOOK_REQUESTS_PER_MINUTE = 0;
    try {
      for (let n = 0; n <= 2 * LIMITS.webhookRequestsPerMinute; n += 1) {
        expect((await post(id, null, { "content-length": "2000000" })).status).toBe(413);
      }
    } finally {
      env().WEBHOOK_REQUESTS_PER_MINUTE = undefined;
    }
  });
});
