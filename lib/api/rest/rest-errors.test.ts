import { describe, expect, test, vi } from "vitest";
import { RATE_HEADERS } from "#lib/api/admission/admit";
import { callRest, expectCommonHeaders, expectRateHeaders } from "#lib/api/rest/rest.fixture";
import { SCOPES, type Scope } from "#lib/contract/key/scopes";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey, TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { revokeKey } from "#lib/domain/keys/revoke-key";
import { rotateKey } from "#lib/domain/keys/rotate-key";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

await openTestDatabase();

const workspace = await addWorkspace();
const key = (await addKey(workspace, { scopes: [...SCOPES] })).raw_key;
await addAction(workspace, { slug: "greet" });
await addAction(workspace, { slug: "held", approvalPolicy: "always" });
const runId = String(
  (await callRest("POST", "/actions/greet/run", { key, body: { input: { name: "Ada" } } })).body.run_id,
);
const approvedId = String(
  (await callRest("POST", "/actions/held/run", { key, body: { input: { name: "Ada" } } })).body.run_id,
);

/**
 * Every endpoint with its scope and the status of a good call. rest-contract.test.ts checks the answers that the
 * OpenAPI document describes; this file checks what the document cannot express.
 */
const ENDPOINTS: [method: string, path: () => string, scope: Scope, status: number][] = [
  ["GET", () => "/actions", "actions:read", 200],
  ["GET", () => "/actions/greet", "actions:read", 200],
  ["POST", () => "/actions/greet/run", "actions:run", 202],
  ["GET", () => "/runs", "runs:read", 200],
  ["GET", () => `/runs/${runId}`, "runs:read", 200],
  ["POST", () => `/runs/${approvedId}/approve`, "approvals:decide", 200],
  ["POST", () => `/runs/${runId}/cancel`, "actions:run", 200],
];
const bodyOf = (path: string) => (path.endsWith("/run") ? { body: { input: { name: "Ada" }, dry_run: true } } : {});

const NOT_VALID = "Missing or invalid API key. Send it as: Authorization: Bearer <API_KEY>";

describe.each(ENDPOINTS)("%s %s", (method, path, scope, status) => {
  const call = (more: Parameters<typeof callRest>[2] = {}) =>
    callRest(method, path(), { key, ...bodyOf(path()), ...more });

  test("answers 401 `API key revoked` from the next request on", async () => {
    const { key_id: keyId, raw_key: revoked } = await addKey(workspace, { scopes: [scope] });
    expect((await call({ key: revoked })).status).toBe(status);
    await revokeKey({ ...workspace, keyId, actor: TEST_ACTOR });
    const answer = await call({ key: revoked });
    expect(answer).toMatchObject({
      status: 401,
      body: { error: "API key revoked", code: "UNAUTHORIZED", reason: "api_key_revoked" },
    });
    for (const name of RATE_HEADERS) expect(answer.headers.has(name)).toBe(false);
  });

  test("answers 405 to other methods and names the allowed ones", async () => {
    for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((name) => name !== method)) {
      const answer = await callRest(other, path(), { key });
      expect(answer).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } });
      expect(answer.headers.get("allow")).toBe(method === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS");
      expectRateHeaders(answer);
    }
    expect((await callRest("DELETE", path())).status).toBe(401);
  });

  test("answers OPTIONS with its methods without a key, and allows no foreign origin", async () => {
    const answer = await callRest("OPTIONS", path(), { headers: { origin: "https://evil.example" } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("allow")).toContain(method);
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("HEAD", () => {
  test("counts as a request and answers like GET; a path without GET refuses it", async () => {
    const head = await callRest("HEAD", "/actions", { key });
    expect(head.status).toBe(200);
    expectRateHeaders(head);
    expectCommonHeaders(head);
    expect((await callRest("HEAD", "/actions")).status).toBe(401);
    expect((await callRest("HEAD", "/actions/greet/run", { key })).status).toBe(405);
  });
});

describe("an answer to a valid key", () => {
  const big = `"${"x".repeat(1_048_576)}"`;
  test.each<[status: number, method: string, path: () => string, call: Parameters<typeof callRest>[2]]>([
    [200, "GET", () => "/actions", {}],
    [202, "POST", () => "/actions/greet/run", { body: { input: { name: "Ada" } } }],
    [304, "GET", () => "/actions", { headers: { "if-none-match": "*" } }],
    [400, "POST", () => "/actions/greet/run", { body: { input: {} } }],
    [400, "GET", () => "/runs?limit=0", {}],
    [404, "GET", () => "/actions/unknown", {}],
    [405, "DELETE", () => "/actions", {}],
    [409, "POST", () => `/runs/${runId}/approve`, {}],
    [413, "POST", () => "/actions/greet/run", { body: big }],
    [
      422,
      "POST",
      () => "/actions/greet/run",
      { headers: { "idempotency-key": "own" }, body: { input: { name: "B" } } },
    ],
  ])("with status %i has the headers of its window and no retry-after: %s", async (status, method, path, more) => {
    const own = { key, headers: { "idempotency-key": "own" }, body: { input: { name: "A" } } };
    if (status === 422) await callRest("POST", "/actions/greet/run", own);
    const answer = await callRest(method, path(), { key, ...more });
    expect(answer.status).toBe(status);
    expectRateHeaders(answer);
    expect(answer.headers.has("retry-after")).toBe(false);
    // An epoch second, and no number of seconds to wait.
    expect(Number(answer.headers.get("x-ratelimit-reset"))).toBeGreaterThan(1_700_000_000);
  });

  test("with status 403 has them, too", async () => {
    const { raw_key: bare } = await addKey(workspace, { scopes: ["workflows:run"] });
    const answer = await callRest("GET", "/actions", { key: bare });
    expect(answer.status).toBe(403);
    expectRateHeaders(answer);
    expect(answer.headers.has("retry-after")).toBe(false);
  });
});

describe("429", () => {
  test.each(["GET", "POST"])(
    "%s gets 429 before the scope and the body are checked, with the time to wait in retry-after",
    async (method) => {
      const free = await addWorkspace("free");
      const { key_id: keyId, raw_key: spent } = await addKey(free, { scopes: ["workflows:run"] });
      await db().query("insert into rate_windows (key_id, newest) values ($1, 60)", [keyId]);
      await db().query(
        "insert into rate_hits select $1, n, clock_timestamp() - interval '10 seconds' from generate_series(1, 60) n",
        [keyId],
      );
      const path = method === "GET" ? "/actions" : "/actions/greet/run";
      const answer = await callRest(method, path, { key: spent, ...(method === "POST" ? { body: "{broken" } : {}) });
      expect(answer.status).toBe(429);
      expect(answer.body).toEqual({
        error: "Rate limit exceeded",
        code: "RATE_LIMIT_EXCEEDED",
        reason: "rate_limit_exceeded",
      });
      expectRateHeaders(answer);
      expect(answer.headers.get("x-ratelimit-limit")).toBe("60");
      expect(answer.headers.get("x-ratelimit-remaining")).toBe("0");
      const retryAfter = Number(answer.headers.get("retry-after"));
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(50);
      const { rows } = await db().query(
        "select floor(extract(epoch from min(at) + interval '60 seconds'))::int as reset from rate_hits where key_id = $1",
        [keyId],
      );
      expect(answer.headers.get("x-ratelimit-reset")).toBe(String(rows[0].reset));
    },
  );
});

describe("401", () => {
  test.each([
    ["another scheme", (raw: string) => ({ authorization: `Basic ${raw}` })],
    ["no scheme", (raw: string) => ({ authorization: raw })],
    ["two keys", (raw: string) => ({ authorization: `Bearer ${raw}, Bearer ${raw}` })],
    ["a key followed by other text", (raw: string) => ({ authorization: `Bearer ${raw} x` })],
    ["an empty key", () => ({ authorization: "Bearer " })],
    ["an unknown key", () => ({ authorization: `Bearer svc_${"a".repeat(32)}` })],
    [
      "a key that only shares the prefix",
      (raw: string) => ({ authorization: `Bearer ${raw.slice(0, 8)}${"a".repeat(28)}` }),
    ],
    ["a key in the wrong case", (raw: string) => ({ authorization: `Bearer ${raw.toUpperCase()}` })],
    ["X-API-Key", (raw: string) => ({ "x-api-key": raw })],
    ["a cookie", (raw: string) => ({ cookie: `authorization=Bearer ${raw}` })],
  ])("for %s, with the same text", async (_, headers) => {
    const answer = await callRest("GET", "/actions", { headers: headers(key) });
    expect(answer).toMatchObject({ status: 401, body: { error: NOT_VALID, code: "UNAUTHORIZED" } });
  });

  test("for a key in the query", async () => {
    expect((await callRest("GET", `/actions?api_key=${key}&access_token=${key}`)).status).toBe(401);
  });

  test("for an expired key, with the same text as for an unknown key", async () => {
    const { key_id: keyId, raw_key: expired } = await addKey(workspace);
    expect((await callRest("GET", "/actions", { key: expired })).status).toBe(200);
    await db().query("update api_keys set expires_at = now() - interval '1 ms' where id = $1", [keyId]);
    expect(await callRest("GET", "/actions", { key: expired })).toMatchObject({
      status: 401,
      body: { error: NOT_VALID },
    });
  });

  test("for the original of a rotated key, while the replacement works", async () => {
    const original = await addKey(workspace);
    const rotated = await rotateKey({ ...workspace, keyId: original.key_id, actor: TEST_ACTOR });
    expect((await callRest("GET", "/actions", { key: rotated.raw_key })).status).toBe(200);
    expect((await callRest("GET", "/actions", { key: original.raw_key })).body.error).toBe("API key revoked");
  });

  test("comes before the rate limit: an invalid key never gets 429", async () => {
    for (let n = 0; n < 70; n += 1) {
      expect((await callRest("GET", "/actions", { key: `svc_${"b".repeat(32)}` })).status).toBe(401);
    }
  });

  test("the scheme is not case-sensitive (RFC 9110)", async () => {
    expect((await callRest("GET", "/actions", { headers: { authorization: `bearer ${key}` } })).status).toBe(200);
  });
});

describe("any other path under the prefix", () => {
  test.each(["", "/", "/nothing", "/actions/greet/run/again", "/runs/x/y/z", "/keys"])(
    "%j is a 404 in JSON, after the key is checked",
    async (path) => {
      const answer = await callRest("GET", path, { key });
      expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
      expectRateHeaders(answer);
      expect((await callRest("GET", path)).status).toBe(401);
    },
  );
});

describe("a server error", () => {
  test("is a 500 that reveals no internals; the log has the cause under the request id", async () => {
    const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    await db().query("alter table runs rename to runs_away");
    try {
      const answer = await callRest("GET", `/runs/${uuidv7()}`, { key });
      const logged = stdout.mock.calls.map(([line]) => String(line)).join("");
      expect(answer).toMatchObject({ status: 500, body: { code: "INTERNAL_ERROR" } });
      expect(JSON.stringify(answer.body)).not.toMatch(/runs|relation|select|postgres/i);
      expectRateHeaders(answer);
      expectCommonHeaders(answer);
      expect(logged).toContain("42P01");
      expect(logged).toContain(answer.headers.get("x-request-id"));
      expect(logged).not.toContain(key.slice(8));
    } finally {
      stdout.mockRestore();
      await db().query("alter table runs_away rename to runs");
    }
  });
});
