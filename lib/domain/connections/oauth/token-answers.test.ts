import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { VendorAnswer } from "#lib/connectors/sdk/vendor.fixture";
import { retryRuleOf, StepError } from "#lib/contract/run/step-error";
import { createConnection } from "#lib/domain/connections/create-connection";
import { getConnection } from "#lib/domain/connections/get-connection";
import { OAUTH_CLIENT, startAuthorizationServer } from "#lib/domain/connections/oauth/oauth-server.fixture";
import { openConnection } from "#lib/domain/connections/open-connection";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";
import { eventually } from "#lib/support/eventually.fixture";

await openTestDatabase();

process.env.OUTBOUND_ALLOW = "127.0.0.1";
const server = await startAuthorizationServer();
const ann = await addWorkspace();
beforeEach(() => {
  Object.assign(server, { expiresIn: 3_600, answerAs: null, expired: { status: 401, json: {} } });
  server.requests.length = 0;
  server.failures.length = 0;
});
afterAll(() => server.close());

let names = 0;
/** Connects with client credentials, which takes the same path as every other grant, and returns the connection's id. */
async function connect(more: Record<string, string> = {}): Promise<string> {
  names += 1;
  const { connection } = await createConnection({
    workspaceId: ann.workspaceId,
    userId: ann.userId,
    actor: { type: "user", id: ann.userId, name: "Ann" },
    connector: "http",
    auth: "oauth2_client_credentials",
    name: `Machine ${names}`,
    acceptFailure: false,
    fields: {
      client_id: OAUTH_CLIENT.id,
      client_secret: OAUTH_CLIENT.secret,
      token_url: `${server.url}/token`,
      hosts: server.url,
      test_url: `${server.url}/api`,
      ...more,
    },
  });
  server.requests.length = 0;
  return connection.connection_id;
}

async function call(id: string) {
  const { send } = await openConnection(ann.workspaceId, id, outgoingSend(ann.workspaceId));
  return send({ method: "POST", url: `${server.url}/api`, headers: {}, signal: AbortSignal.timeout(20_000) });
}

async function failureOf(id: string): Promise<StepError> {
  const error: unknown = await call(id).catch((thrown: unknown) => thrown);
  if (error instanceof StepError) return error;
  throw new Error(`expected a step error, got ${JSON.stringify(error)}`);
}

const tokenRequests = () => server.requests.filter(({ path }) => path === "/token").length;
const statusOf = async (id: string) => (await getConnection(ann.workspaceId, id)).status;

describe("a token whose end is unknown is used, and renewed when the service refuses it:", () => {
  test.each<[unknown]>([
    [0],
    ["0"],
    [""],
    [-1],
    ["-1"],
    [null],
    [undefined],
    [true],
    [false],
    [1e12],
    [1e300],
    ["never"],
    ["NaN"],
    ["Infinity"],
    ["0x10"],
    ["2027-01-01T00:00:00Z"],
    [[3_600]],
    [{ seconds: 3_600 }],
  ])("expires_in %j", async (expires_in) => {
    server.answerAs = (granted) => ({ json: { ...granted, expires_in } });
    const id = await connect();
    for (let calls = 0; calls < 3; calls += 1) expect((await call(id)).status).toBe(200);
    expect(tokenRequests()).toBe(0);
    server.endTokens();
    expect((await call(id)).status).toBe(200);
    expect(tokenRequests()).toBe(1);
    expect(await statusOf(id)).toBe("connected");
  });
});

describe("a token is renewed early by a share of its lifetime:", () => {
  test.each([1_800, 60, 59, 30, "30", 20.5, "60s", " 45 "])(
    "%j seconds are enough for many calls",
    async (expires_in) => {
      server.answerAs = (granted) => ({ json: { ...granted, expires_in } });
      const id = await connect();
      for (let calls = 0; calls < 3; calls += 1) await call(id);
      expect(tokenRequests()).toBe(0);
    },
  );

  test.each([0.001, "0.001"])("%j seconds are over at once", async (expires_in) => {
    server.answerAs = (granted) => ({ json: { ...granted, expires_in } });
    const id = await connect();
    await call(id);
    expect(tokenRequests()).toBe(1);
  });
});

describe("a token that says when it ends, not how long it lives, is used until then:", () => {
  const secondsFrom = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
  test.each<[string, () => Record<string, unknown>]>([
    ["epoch seconds", () => ({ expires_at: secondsFrom(3_600) })],
    ["epoch milliseconds", () => ({ expires_at: secondsFrom(3_600) * 1_000 })],
    ["epoch seconds as text", () => ({ expires_on: String(secondsFrom(3_600)) })],
    ["ISO 8601", () => ({ expiresAt: new Date(secondsFrom(3_600) * 1_000).toISOString() })],
    ["a lifetime, which counts, next to an end", () => ({ expires_in: 3_600, expires_at: secondsFrom(1) })],
    ["an end that is over, which says nothing", () => ({ expires_at: secondsFrom(-60) })],
    ["a number that is no time", () => ({ expires_at: 3_600 })],
    ["words", () => ({ expires_at: "tomorrow" })],
  ])("%s", async (_name, end) => {
    server.answerAs = ({ expires_in: _, ...granted }) => ({ json: { ...granted, ...end() } });
    const id = await connect();
    for (let calls = 0; calls < 3; calls += 1) expect((await call(id)).status).toBe(200);
    expect(tokenRequests()).toBe(0);
  });

  test("and is renewed then", async () => {
    server.answerAs = ({ expires_in: _, ...granted }) => ({
      json: { ...granted, expires_at: new Date(Date.now() + 100).toISOString() },
    });
    const id = await connect();
    await eventually(async () => {
      expect((await call(id)).status).toBe(200);
      expect(tokenRequests()).toBeGreaterThan(0);
    });
  });
});

describe("a token is read from every form in which services grant it:", () => {
  const form = (granted: Record<string, unknown>) => new URLSearchParams(granted as Record<string, string>).toString();
  const forms: Record<string, (granted: Record<string, unknown>) => VendorAnswer> = {
    "another case of the type": (granted) => ({ json: { ...granted, token_type: "bearer " } }),
    "no type": ({ token_type: _, ...granted }) => ({ json: granted }),
    "a type of its own": (granted) => ({ json: { ...granted, token_type: "BearerToken" } }),
    "scopes as a list": (granted) => ({ json: { ...granted, scope: ["read", "write"] } }),
    "a form": (granted) => ({ text: form(granted), headers: { "content-type": "application/x-www-form-urlencoded" } }),
    "a form without a type": (granted) => ({ text: form(granted) }),
    "JSON as text": (granted) => ({ text: JSON.stringify(granted), headers: { "content-type": "text/plain" } }),
    "JSON as HTML": (granted) => ({ text: JSON.stringify(granted), headers: { "content-type": "text/html" } }),
    "a byte order mark": (granted) => ({ text: `\uFEFF${JSON.stringify(granted)}\n` }),
    "a wrapper": (granted) => ({ json: { code: 0, message: "ok", data: granted } }),
    "a wrapper with success": (granted) => ({ json: { success: true, result: granted } }),
    "the token of a person": (granted) => ({ json: { ok: true, authed_user: { id: "U1", ...granted } } }),
    "camel case": ({ access_token, ...granted }) => ({ json: { ...granted, accessToken: access_token } }),
    "an empty error": (granted) => ({ json: { ...granted, error: null, error_description: "" } }),
    "an empty refresh token": (granted) => ({ json: { ...granted, refresh_token: "" } }),
    "a code of success as text": (granted) => ({ json: { ...granted, errorCode: "0", error_code: "0" } }),
    "a word of success as the error": (granted) => ({ json: { ...granted, error: "none", errmsg: "ok" } }),
    "a status of success": (granted) => ({ json: { ...granted, status: "SUCCESS" } }),
    "a status next to a wrapper": (granted) => ({ json: { status: "OK", data: granted } }),
    "another wrapper": (granted) => ({ json: { credentials: granted } }),
    "JSON under the name of a form": (granted) => ({
      text: JSON.stringify(granted),
      headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    }),
    "an end as ISO 8601": ({ expires_in: _, ...granted }) => ({
      json: { ...granted, expires_at: "2999-01-01T00:00:00Z" },
    }),
    "the status 201": (granted) => ({ status: 201, json: granted }),
  };
  test.each(Object.keys(forms))("%s", async (name) => {
    server.answerAs = forms[name] ?? null;
    expect((await call(await connect())).status).toBe(200);
  });
});

describe("an answer without a usable token is an error, and the connection stays connected:", () => {
  test.each<[string, (granted: Record<string, unknown>) => VendorAnswer, RegExp]>([
    ["a page", () => ({ text: "<html>Sign in</html>", headers: { "content-type": "text/html" } }), /returned no token/],
    ["nothing", () => ({ status: 204 }), /returned no token/],
    ["a list", (granted) => ({ json: [granted] }), /returned no token/],
    ["no access token", ({ access_token: _, ...granted }) => ({ json: granted }), /returned no token/],
    ["an empty token", (granted) => ({ json: { ...granted, access_token: " " } }), /returned no token/],
    ["a token of two lines", (granted) => ({ json: { ...granted, access_token: "a\nb" } }), /returned no token/],
    ["a token and an error", (granted) => ({ json: { ...granted, error: "fatal_error" } }), /fatal_error/],
    ["ok: false", (granted) => ({ json: { ...granted, ok: false } }), /returned no token/],
    ["WeChat's error", () => ({ json: { errcode: 40013, errmsg: "invalid appid" } }), /invalid appid/],
    ["a form with an error", () => ({ text: "error=server_error&error_description=later" }), /server_error: later/],
    ["a redirect to a page", () => ({ status: 302, headers: { location: "/login" } }), /redirect/],
    ["a token that proves possession", (granted) => ({ json: { ...granted, token_type: "DPoP" } }), /type dpop/],
    ["another kind of token", (granted) => ({ json: { ...granted, token_type: "MAC" } }), /type mac/],
  ])("%s", async (_, answer, message) => {
    const id = await connect();
    server.endTokens();
    server.answerAs = answer;
    const error = await failureOf(id);
    expect(error.message).toMatch(message);
    expect(error.code).not.toBe("AUTH_EXPIRED");
    expect(await statusOf(id)).toBe("connected");
    server.answerAs = null;
    expect((await call(id)).status).toBe(200);
  });
});

describe("only a refused grant or client ends a connection:", () => {
  const told = (status: number, error: string): VendorAnswer => ({ status, json: { error, error_description: "why" } });
  const page = (status: number): VendorAnswer => ({
    status,
    text: "<html>proxy</html>",
    headers: { "content-type": "text/html" },
  });

  test.each<[VendorAnswer]>([
    [told(400, "invalid_grant")],
    [told(401, "invalid_client")],
    [told(400, "unauthorized_client")],
    [told(403, "invalid_grant")],
    [told(200, "bad_refresh_token")],
    [told(400, "interaction_required")],
    [told(400, "Invalid_Grant")],
    [told(401, "deleted_client")],
    [{ json: { ok: false, error: "token_revoked" } }],
    [{ status: 400, json: { status: "BAD_REFRESH_TOKEN", message: "unknown" } }],
    [{ status: 400, text: "error=invalid_grant&error_description=gone" }],
  ])("%j", async (answer) => {
    const id = await connect();
    server.endTokens();
    server.answerAs = () => answer;
    expect(await failureOf(id)).toMatchObject({ code: "AUTH_EXPIRED" });
    expect(await statusOf(id)).toBe("expired");
  });

  test.each<[VendorAnswer, string, boolean]>([
    [told(400, "temporarily_unavailable"), "UPSTREAM_ERROR", true],
    [told(503, "temporarily_unavailable"), "UPSTREAM_ERROR", true],
    [told(400, "server_error"), "UPSTREAM_ERROR", true],
    [told(400, "slow_down"), "RATE_LIMITED", true],
    [told(400, "invalid_request"), "VALIDATION_ERROR", false],
    [told(400, "invalid_scope"), "VALIDATION_ERROR", false],
    [told(400, "unsupported_grant_type"), "VALIDATION_ERROR", false],
    [{ status: 429, headers: { "retry-after": "3" }, json: {} }, "RATE_LIMITED", true],
    [{ status: 403, headers: { "retry-after": "3" }, json: { message: "rate limit" } }, "RATE_LIMITED", true],
    [{ status: 500, text: "oops" }, "UPSTREAM_ERROR", true],
    [told(200, "rate_limited"), "RATE_LIMITED", true],
    [told(400, "rate_limit_exceeded"), "RATE_LIMITED", true],
    [
      {
        status: 400,
        json: { error: "Access Denied", error_description: "You have made too many requests continuously." },
      },
      "RATE_LIMITED",
      true,
    ],
    [page(400), "UPSTREAM_ERROR", true],
    [page(401), "UPSTREAM_ERROR", true],
    [page(403), "UPSTREAM_ERROR", true],
    [page(502), "UPSTREAM_ERROR", true],
  ])("%j does not", async (answer, code, isRetried) => {
    const id = await connect();
    server.endTokens();
    server.answerAs = () => answer;
    const error = await failureOf(id);
    expect([error.code, retryRuleOf(error) === "always"]).toEqual([code, isRetried]);
    expect(await statusOf(id)).toBe("connected");
    server.answerAs = null;
    expect((await call(id)).status).toBe(200);
  });

  test("a token server that breaks off may be asked again by a step that must not be repeated", async () => {
    const id = await connect();
    server.endTokens();
    server.answerAs = () => ({ text: "x", headers: { "content-length": "100", connection: "close" } });
    const error = await failureOf(id);
    expect([error.code, retryRuleOf(error)]).toEqual(["UPSTREAM_ERROR", "always"]);
  });
});

describe("what means an expired token is a rule of the connection:", () => {
  test.each<[string, VendorAnswer]>([
    ["403", { status: 403, json: { message: "Forbidden" } }],
    ["403 error.code=TOKEN_EXPIRED", { status: 403, json: { error: { code: "TOKEN_EXPIRED" } } }],
    ["403 code=190\n200 error=token_expired", { json: { ok: false, error: "token_expired" } }],
    ["400 error.code=190", { status: 400, json: { error: { code: 190 } } }],
  ])("%s", async (expired_answers, answer) => {
    const [plain, ruled] = [await connect(), await connect({ expired_answers })];
    server.expired = answer;
    server.endTokens();
    expect((await call(plain)).body.toString()).toBe(JSON.stringify(answer.json));
    expect(tokenRequests()).toBe(0);
    expect(JSON.parse((await call(ruled)).body.toString())).toEqual({ ok: true });
    expect(tokenRequests()).toBe(1);
  });

  test("another value or another status renews nothing, and a refusal after the renewal is the answer", async () => {
    const id = await connect({ expired_answers: "403 error=expired" });
    server.endTokens();
    for (const answer of [
      { status: 403, json: { error: "no permission" } },
      { status: 400, json: { error: "expired" } },
      { status: 403, text: "expired" },
    ]) {
      server.expired = answer;
      expect((await call(id)).status).toBe(answer.status);
    }
    expect(tokenRequests()).toBe(0);
    server.expired = { status: 403, json: { error: "expired" } };
    server.answerAs = (granted) => ({ json: { ...granted, access_token: "of-someone-else" } });
    expect((await call(id)).status).toBe(403);
    expect(tokenRequests()).toBe(1);
  });

  test.each(["200", "nonsense", "403 error", "99", "403 a=b c"])("%s is no rule", async (expired_answers) => {
    await expect(connect({ expired_answers })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});
