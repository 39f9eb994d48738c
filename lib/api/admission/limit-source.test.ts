import { NextRequest } from "next/server";
import { afterAll, describe, expect, test, vi } from "vitest";
import { CLIENT_ADDRESS_HEADER } from "#lib/api/admission/client-address";
import { takeWebhookRequest, tokenBuckets } from "#lib/api/admission/limit-source";
import { authRoute } from "#lib/api/auth/auth-route";
import { postSignUp } from "#lib/api/auth/sign-up-route";
import { mcpRoute } from "#lib/api/mcp/mcp-edge";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import { callbackRoute } from "#lib/api/webhooks/callback-route";
import { post } from "#lib/api/webhooks/webhook.fixture";
import { LIMITS } from "#lib/contract/limits";
import { addKey, TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import type * as verification from "#lib/domain/keys/verify-key";
import { addTrigger, STANDARD_SECRET, signStandard } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

/** The statements that look up keys: how many are in flight, now and at most, and how many there were. */
const looking = vi.hoisted(() => ({ now: 0, most: 0, all: 0 }));
vi.mock("#lib/domain/keys/verify-key", async (importOriginal) => {
  const original = await importOriginal<typeof verification>();
  return {
    ...original,
    verifyKeys: async (rawKeys: string[]) => {
      looking.now += 1;
      looking.all += 1;
      looking.most = Math.max(looking.most, looking.now);
      try {
        return await original.verifyKeys(rawKeys);
      } finally {
        looking.now -= 1;
      }
    },
  };
});

await openTestDatabase();

const workspace = await addWorkspace();
// The clock of the buckets: nothing comes back while a test runs.
vi.useFakeTimers({ toFake: ["performance"] });
afterAll(() => vi.useRealTimers());

const from = (address: string) => ({ [CLIENT_ADDRESS_HEADER]: address });
let made = 0;
const guess = () => `svc_${String(made++).padStart(32, "g")}`;
const list = (key: string | null, address: string) => callRest("GET", "/actions", { key, headers: from(address) });

const NOT_VALID = {
  status: 401,
  body: {
    error: "Missing or invalid API key. Send it as: Authorization: Bearer <API_KEY>",
    code: "UNAUTHORIZED",
    reason: "unauthorized",
  },
};

/** Uses up what a source may send with invalid keys before its lookups wait. */
async function spend(address: string): Promise<void> {
  for (let n = 0; n < LIMITS.failedKeysBurst; n += 1) await list("svc_malformed", address);
}

describe("requests with invalid keys", () => {
  test("are 401 without rate headers, however many their source sent", async () => {
    const answers = new Set<string>();
    const note = async (key: string | null) => {
      const { status, body, headers } = await list(key, "203.0.113.1");
      const limits = [...headers.keys()].filter((name) => /ratelimit|retry-after/.test(name));
      answers.add(JSON.stringify({ status, body, ...(limits.length > 0 ? { limits } : {}) }));
    };
    for (let n = 0; n < LIMITS.failedKeysBurst + 20; n += 1) await note("svc_malformed");
    for (const key of [null, guess(), "svc_", `${guess()}=`, guess().slice(4)]) await note(key);
    expect([...answers]).toEqual([JSON.stringify(NOT_VALID)]);
  });

  test("never close a source to valid keys, whether this process knows them or not", async () => {
    await spend("203.0.113.3");
    const { raw_key: rawKey } = await addKey(workspace);
    for (let n = 0; n < 5; n += 1) {
      expect(await list(guess(), "203.0.113.3")).toMatchObject(NOT_VALID);
      expect((await list(rawKey, "203.0.113.3")).status).toBe(200);
    }
  });

  test("are 401 over MCP too: in the result of a tool call, and as the status of any other method", async () => {
    await spend("2001:db8:0:1::1");
    const headers = from("2001:db8:0:1:ffff::2");
    const send = (method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params });
      return mcpRoute(OPERATIONS)(new Request("http://localhost/mcp", { method: "POST", headers, body }));
    };
    const called = await send("tools/call", { name: "list_actions", arguments: {} });
    expect(called.status).toBe(200);
    const { id, result } = (await called.json()) as {
      id: number;
      result: { isError: boolean; content: { text: string }[] };
    };
    expect([id, result.isError, JSON.parse(result.content[0]?.text ?? "")]).toEqual([7, true, NOT_VALID.body]);
    const listed = await send("tools/list", {});
    expect(listed.status).toBe(401);
    expect(await listed.json()).toMatchObject({ id: 7, error: { data: NOT_VALID.body } });
    for (const answer of [called, listed]) expect(answer.headers.get("retry-after")).toBeNull();
  });

  test.each(["revoked", "expired"])("are 401 if the key was %s, also when its window is spent", async (state) => {
    const free = await addWorkspace("free");
    const { key_id: keyId, raw_key: rawKey } = await addKey(free);
    await db().query("insert into rate_windows (key_id, newest) values ($1, 60)", [keyId]);
    await db().query("insert into rate_hits select $1, n, clock_timestamp() from generate_series(1, 60) n", [keyId]);
    expect((await list(rawKey, "203.0.113.4")).status).toBe(429);
    if (state === "revoked") await revokeKey({ ...free, keyId, actor: TEST_ACTOR });
    else await db().query("update api_keys set expires_at = now() - interval '1 ms' where id = $1", [keyId]);
    await spend("203.0.113.4");
    const expected =
      state === "revoked"
        ? { status: 401, body: { error: "API key revoked", code: "UNAUTHORIZED", reason: "api_key_revoked" } }
        : NOT_VALID;
    const answer = await list(rawKey, "203.0.113.4");
    expect(answer).toMatchObject(expected);
    expect(answer.headers.has("x-ratelimit-limit")).toBe(false);
  });

  test("above the limit share one statement at a time, and none delays a known key", async () => {
    const [known, other] = [(await addKey(workspace)).raw_key, (await addKey(workspace)).raw_key];
    await list(known, "203.0.113.5");
    for (const address of ["203.0.113.5", "203.0.113.6"]) await spend(address);
    Object.assign(looking, { most: 0, all: 0 });
    const keys = Array.from({ length: 200 }, guess);
    const flood = keys.map((key, n) => list(key, n % 2 === 0 ? "203.0.113.5" : "203.0.113.6"));
    const valid = list(other, "203.0.113.5");
    expect((await list(known, "203.0.113.5")).status).toBe(200);
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([401]));
    expect((await valid).status).toBe(200);
    expect(looking).toMatchObject({ now: 0, most: 1 });
    expect(looking.all).toBeLessThan(10);
  });

  test("above the limit are answered again after a lookup failed", async () => {
    await spend("203.0.113.7");
    await db().query("alter table api_keys rename to api_keys_away");
    try {
      expect((await list(guess(), "203.0.113.7")).status).toBe(500);
    } finally {
      await db().query("alter table api_keys_away rename to api_keys");
    }
    expect(await list(guess(), "203.0.113.7")).toMatchObject(NOT_VALID);
  });
});

describe("requests to callback addresses that do not exist", () => {
  const call = async (address: string) => {
    const request = new Request("http://localhost/callbacks/x", { method: "POST", headers: from(address), body: "{}" });
    const answer = await callbackRoute(request, guess());
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };

  test("are 404 up to the limit of their source for invalid keys, then 429 with the time to wait", async () => {
    expect(await call("203.0.113.8")).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    await spend("203.0.113.8");
    const refused = await call("203.0.113.8");
    expect(refused).toMatchObject({ status: 429, body: { reason: "too_many_failed_keys" } });
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await call("203.0.113.9")).status).toBe(404);
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
      expect((await signUp("203.0.113.16")).status).toBe(400);
    }
    for (const answer of [await signUp("203.0.113.16"), await signIn("203.0.113.16")]) {
      expect(answer.status).toBe(429);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(await answer.json()).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", reason: "too_many_attempts" });
    }
    // next-auth's client shows the error that this address names.
    expect(await (await signIn("203.0.113.16")).json()).toMatchObject({ url: `${BASE}/sign-in?error=TooManyAttempts` });
    expect((await signUp("203.0.113.17")).status).toBe(400);
    expect((await signIn("203.0.113.17")).status).not.toBe(429);
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

function bucketsAt(burst: number, perMinute: number) {
  const clock = { ms: 1_000 };
  return { clock, buckets: tokenBuckets({ burst, perMinute }, () => clock.ms) };
}

test("a key can take its burst, then waits for exactly the returned time", () => {
  const { clock, buckets } = bucketsAt(3, 6);
  expect([1, 2, 3].map(() => buckets.take("a"))).toEqual([0, 0, 0]);
  expect(buckets.isEmpty("a")).toBe(true);
  expect(buckets.take("a")).toBe(10);
  clock.ms += 9_999;
  expect(buckets.take("a")).toBe(1);
  clock.ms += 1;
  expect(buckets.isEmpty("a")).toBe(false);
  expect(buckets.take("a")).toBe(0);
  expect(buckets.take("a")).toBe(10);
});

test("a refused attempt costs nothing", () => {
  const { clock, buckets } = bucketsAt(1, 60);
  buckets.take("a");
  for (let n = 0; n < 100; n += 1) buckets.take("a");
  clock.ms += 1_000;
  expect(buckets.take("a")).toBe(0);
});

test("a bucket never holds more than its burst, and keys do not affect each other", () => {
  const { clock, buckets } = bucketsAt(2, 60);
  clock.ms += 3_600_000;
  expect([1, 2, 3].map(() => buckets.take("a"))).toEqual([0, 0, 1]);
  expect(buckets.take("b")).toBe(0);
});

test("the memory is bounded: the key that was not used for longest is forgotten first", () => {
  const { buckets } = bucketsAt(1, 1);
  buckets.take("used");
  buckets.take("forgotten");
  for (let n = 0; n < 9_999; n += 1) {
    buckets.take(`key ${n}`);
    if (n === 5_000) buckets.take("used");
  }
  expect(buckets.isEmpty("used")).toBe(true);
  expect(buckets.isEmpty("forgotten")).toBe(false);
});

test("a long key is cut", () => {
  const { buckets } = bucketsAt(1, 1);
  buckets.take("x".repeat(100_000));
  expect(buckets.isEmpty("x".repeat(200))).toBe(true);
});

test("a returned token can be taken again, and a bucket never gets more than its burst", () => {
  const { buckets } = bucketsAt(2, 6);
  buckets.take("a");
  buckets.take("a");
  expect(buckets.wait("a")).toBe(10);
  buckets.giveBack("a");
  expect(buckets.wait("a")).toBe(0);
  expect([buckets.take("a"), buckets.take("a")]).toEqual([0, 10]);
  buckets.giveBack("b");
  expect([1, 2, 3].map(() => buckets.take("b"))).toEqual([0, 0, 10]);
});
