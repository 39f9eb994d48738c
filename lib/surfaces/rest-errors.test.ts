import { beforeAll, describe, expect, test, vi } from "vitest";
import { addAction } from "#lib/actions/action.fixture";
import { SCOPES, type Scope } from "#lib/contract/scopes";
import { db } from "#lib/db/pool";
import { useTestDatabase } from "#lib/db/test-database";
import { addKey, TEST_ACTOR } from "#lib/keys/key.fixture";
import { revokeKey } from "#lib/keys/revoke-key";
import { rotateKey } from "#lib/keys/rotate-key";
import { uuidv7 } from "#lib/support/ids";
import { type Answer, callRest } from "#lib/surfaces/rest.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/workspaces/workspace.fixture";

useTestDatabase();

let workspace: TestWorkspace;
let key: string;
let runId: string;
beforeAll(async () => {
  workspace = await addWorkspace();
  key = (await addKey(workspace, { scopes: [...SCOPES] })).raw_key;
  await addAction(workspace, { slug: "greet" });
  await addAction(workspace, { slug: "paused", status: "paused" });
  await addAction(workspace, { slug: "archived", status: "archived" });
  await addAction(workspace, { slug: "unreleased", isReleased: false });
  runId = String((await callRest("POST", "/actions/greet/run", { key, body: { input: { name: "Ada" } } })).body.run_id);
});

/** Every endpoint of the contract's table that is bound, with its scope and its answer to a good call. */
const ENDPOINTS: [method: string, path: () => string, scope: Scope, status: number][] = [
  ["GET", () => "/actions", "actions:read", 200],
  ["GET", () => "/actions/greet", "actions:read", 200],
  ["POST", () => "/actions/greet/run", "actions:run", 202],
  ["GET", () => "/runs", "runs:read", 200],
  ["GET", () => `/runs/${runId}`, "runs:read", 200],
];
const bodyOf = (method: string) => (method === "POST" ? { body: { input: { name: "Ada" }, dry_run: true } } : {});

const RATE_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

function expectRateHeaders({ headers }: Answer): void {
  for (const name of RATE_HEADERS) expect(headers.get(name), name).toMatch(/^\d+$/);
}

function expectCommonHeaders({ headers }: Answer): void {
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-type")).toBe("application/json");
  expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
}

const NOT_VALID = "Missing or invalid API key. Send it as: Authorization: Bearer <API_KEY>";

describe.each(ENDPOINTS)("%s %s", (method, path, scope, status) => {
  const call = (more: Parameters<typeof callRest>[2] = {}) =>
    callRest(method, path(), { key, ...bodyOf(method), ...more });

  test(`answers ${status} with the rate headers`, async () => {
    const answer = await call();
    expect(answer.status).toBe(status);
    expectRateHeaders(answer);
    expectCommonHeaders(answer);
    expect(answer.headers.get("retry-after")).toBeNull();
  });

  test("answers 401 without a key, spends nothing and sends no rate headers", async () => {
    const answer = await call({ key: null });
    expect(answer).toMatchObject({ status: 401, body: { error: NOT_VALID, code: "UNAUTHORIZED" } });
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    for (const name of RATE_HEADERS) expect(answer.headers.has(name)).toBe(false);
    expectCommonHeaders(answer);
  });

  test("answers 401 `API key revoked` from the next request on", async () => {
    const { key_id: keyId, raw_key: revoked } = await addKey(workspace, { scopes: [scope] });
    expect((await call({ key: revoked })).status).toBe(status);
    await revokeKey({ ...workspace, keyId, actor: TEST_ACTOR });
    const answer = await call({ key: revoked });
    expect(answer).toMatchObject({ status: 401, body: { error: "API key revoked", code: "UNAUTHORIZED" } });
    for (const name of RATE_HEADERS) expect(answer.headers.has(name)).toBe(false);
  });

  test(`answers 403 to every scope but ${scope}`, async () => {
    const { raw_key: only } = await addKey(workspace, { scopes: [scope] });
    expect((await call({ key: only })).status).toBe(status);
    const granted = SCOPES.filter((other) => other !== scope);
    const { raw_key: others } = await addKey(workspace, { scopes: granted });
    const answer = await call({ key: others });
    expect(answer).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", details: { required_scope: scope, granted_scopes: granted } },
    });
    expectRateHeaders(answer);
  });

  test("answers 429 with retry-after once the window is spent, before the scope and the body are looked at", async () => {
    const free = await addWorkspace("free");
    const { key_id: keyId, raw_key: spent } = await addKey(free, { scopes: ["workflows:run"] });
    await db().query("insert into rate_windows (key_id, newest) values ($1, 60)", [keyId]);
    await db().query(
      "insert into rate_hits select $1, n, clock_timestamp() - interval '10 seconds' from generate_series(1, 60) n",
      [keyId],
    );
    const answer = await call({ key: spent, ...(method === "POST" ? { body: "{broken" } : {}) });
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({ error: "Rate limit exceeded", code: "RATE_LIMIT_EXCEEDED" });
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
  });

  test("answers 405 to other methods, naming those there are", async () => {
    for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((name) => name !== method)) {
      const answer = await callRest(other, path(), { key });
      expect(answer).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } });
      expect(answer.headers.get("allow")).toBe(method === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS");
      expectRateHeaders(answer);
    }
    expect((await callRest("DELETE", path())).status).toBe(401);
  });

  test("tells its methods to OPTIONS without a key, and allows no foreign origin", async () => {
    const answer = await callRest("OPTIONS", path(), { headers: { origin: "https://evil.example" } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("allow")).toContain(method);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("401", () => {
  test.each([
    ["another scheme", (raw: string) => ({ authorization: `Basic ${raw}` })],
    ["no scheme", (raw: string) => ({ authorization: raw })],
    ["two keys", (raw: string) => ({ authorization: `Bearer ${raw}, Bearer ${raw}` })],
    ["a key with something after it", (raw: string) => ({ authorization: `Bearer ${raw} x` })],
    ["an empty key", () => ({ authorization: "Bearer " })],
    ["a key nobody has", () => ({ authorization: `Bearer svc_${"a".repeat(32)}` })],
    ["the right prefix only", (raw: string) => ({ authorization: `Bearer ${raw.slice(0, 8)}${"a".repeat(28)}` })],
    ["another case", (raw: string) => ({ authorization: `Bearer ${raw.toUpperCase()}` })],
    ["X-API-Key", (raw: string) => ({ "x-api-key": raw })],
    ["a cookie", (raw: string) => ({ cookie: `authorization=Bearer ${raw}` })],
  ])("for %s, with the same text as every other", async (_, headers) => {
    const answer = await callRest("GET", "/actions", { headers: headers(key) });
    expect(answer).toMatchObject({ status: 401, body: { error: NOT_VALID, code: "UNAUTHORIZED" } });
  });

  test("for a key in the query", async () => {
    expect((await callRest("GET", `/actions?api_key=${key}&access_token=${key}`)).status).toBe(401);
  });

  test("for an expired key, with the text of an unknown one", async () => {
    const { key_id: keyId, raw_key: expired } = await addKey(workspace);
    expect((await callRest("GET", "/actions", { key: expired })).status).toBe(200);
    await db().query("update api_keys set expires_at = clock_timestamp() where id = $1", [keyId]);
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

  test("comes before the limit: a wrong key never gets 429", async () => {
    for (let n = 0; n < 70; n += 1) {
      expect((await callRest("GET", "/actions", { key: `svc_${"b".repeat(32)}` })).status).toBe(401);
    }
  });

  test("the scheme is matched whatever its case (RFC 9110)", async () => {
    expect((await callRest("GET", "/actions", { headers: { authorization: `bearer ${key}` } })).status).toBe(200);
  });
});

describe("POST /actions/:slug/run refuses", () => {
  const run = (slug: string, body: unknown, more: Parameters<typeof callRest>[2] = {}) =>
    callRest("POST", `/actions/${slug}/run`, { key, body, ...more });

  test.each(["unknown", "Not-A-Slug", "%00", "..%2F..%2Fetc"])(
    "an unknown slug (%s): 404, whatever the body",
    async (slug) => {
      for (const body of [{ input: { name: "Ada" } }, {}, "{broken", "[]"]) {
        const answer = await run(slug, body);
        expect(answer).toMatchObject({ status: 404, body: { code: "ACTION_NOT_FOUND" } });
        expectRateHeaders(answer);
      }
    },
  );

  test.each(["paused", "archived", "unreleased"])("an action that is %s: 409, whatever the body", async (slug) => {
    for (const body of [{ input: { name: "Ada" } }, {}, { input: { name: "Ada" }, dry_run: true }, "{broken"]) {
      expect(await run(slug, body)).toMatchObject({ status: 409, body: { code: "ACTION_UNAVAILABLE" } });
    }
  });

  test.each([
    ["broken JSON", "{"],
    ["a literal", "7"],
    ["null", "null"],
    ["an array", "[]"],
    ["not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["only blanks", "   "],
    ["33 levels", `{"input":${"[".repeat(32)}${"]".repeat(32)}}`],
    ["100,000 levels", `{"input":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["NUL in a value", '{"input":{"name":"a\\u0000b"}}'],
    ["NUL in a name", '{"input":{"name":"a","b\\u0000":1}}'],
    ["half a surrogate pair", '{"input":{"name":"\\ud83d"}}'],
    ["the other half", '{"input":{"name":"\\ude00"}}'],
    ["a number beyond a double", '{"input":{"name":"a","count":1e400}}'],
  ])("%s: 400", async (_, body) => {
    const answer = await run("greet", body);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", error: expect.any(String) } });
    expectRateHeaders(answer);
  });

  test("what cannot be stored, naming the field", async () => {
    const answer = await run("greet", '{"input":{"name":"a","list":[1,{"x/y":"\\u0000"}]}}');
    expect(answer.body).toMatchObject({
      error: "input.list.1.x/y: holds NUL or half a surrogate pair",
      details: [{ field: "input.list.1.x/y", pointer: "/input/list/1/x~1y" }],
    });
  });

  test("32 levels are not too deep", async () => {
    const nested = `${"[".repeat(30)}${"]".repeat(30)}`;
    expect((await run("greet", `{"input":{"name":"Ada","deep":${nested}}}`)).status).toBe(202);
  });

  test("a body over 1 MiB: 413, also when it does not say its length, before the key is looked at", async () => {
    const fits = JSON.stringify({ input: { name: "x".repeat(1_048_576 - 21) } });
    expect(Buffer.byteLength(fits)).toBe(1_048_576);
    expect((await run("greet", fits)).status).toBe(202);
    expect(await run("greet", `${fits} `)).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    });
    expect((await run("greet", endless, { key: null, body: endless })).status).toBe(413);
    expect(sent).toBeLessThan(3 * 1_048_576);
    const claimed = await run("greet", "{}", { key: null, body: "{}", headers: { "content-length": "1048577" } });
    expect(claimed.status).toBe(413);
  });

  test("more than a hundred runs an hour of one user: 429 with retry-after and no row", async () => {
    const own = await addWorkspace();
    const { raw_key: busy } = await addKey(own);
    await addAction(own, { slug: "greet" });
    const call = () => run("greet", { input: { name: "Ada" } }, { key: busy, body: { input: { name: "Ada" } } });
    const statuses: number[] = [];
    for (let n = 0; n < 100; n += 1) statuses.push((await call()).status);
    expect(new Set(statuses)).toEqual(new Set([202]));
    const answer = await call();
    expect(answer).toMatchObject({
      status: 429,
      body: { error: "Run limit exceeded (100 per hour)", code: "RATE_LIMIT_EXCEEDED" },
    });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3000);
    expect(Number(answer.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
    const { rows } = await db().query("select count(*)::int as n from runs where workspace_id = $1", [own.workspaceId]);
    expect(rows[0].n).toBe(100);
  });

  test("more runs than the month's quota: 402", async () => {
    const own = await addWorkspace("free");
    const { raw_key: poor } = await addKey(own);
    await addAction(own, { slug: "greet" });
    await db().query(
      "insert into usage_months values ($1, date_trunc('month', now() at time zone 'UTC')::date, 1000)",
      [own.workspaceId],
    );
    const answer = await run("greet", null, { key: poor, body: { input: { name: "Ada" } } });
    expect(answer).toMatchObject({
      status: 402,
      body: { code: "QUOTA_EXCEEDED", details: { limit: 1000, plan: "free" } },
    });
  });
});

describe("anything else under the prefix", () => {
  test.each(["", "/", "/nothing", "/actions/greet/run/again", "/runs/x/y/z", "/keys"])(
    "%j is a 404 in JSON, after the key",
    async (path) => {
      const answer = await callRest("GET", path, { key });
      expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
      expectRateHeaders(answer);
      expect((await callRest("GET", path)).status).toBe(401);
    },
  );
});

describe("what is ours to mend", () => {
  test("is a 500 that says nothing internal; the log has the cause under the request id", async () => {
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
