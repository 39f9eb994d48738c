import { createHmac, createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Browser, startAuth } from "#lib/api/auth/auth-browser.fixture";
import { changeAnswer } from "#lib/api/auth/oidc-stage.fixture";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { LIMITS } from "#lib/contract/limits";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { signUp } from "#lib/domain/accounts/sign-up";
import { codeAt, enrollTotp } from "#lib/domain/accounts/two-step/authenticator.fixture";
import { sealSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { env } from "#lib/platform/config/env";
import { oidcProvidersSchema } from "#lib/platform/config/oidc-provider-setting";
import { db } from "#lib/platform/db/pool";
import { emptyTables, openTestDatabase } from "#lib/platform/db/test-database";
import { startOpenidProvider } from "#scripts/testing/openid-provider.fixture";

await openTestDatabase();

const SECRET = "a secret of the application, long enough";

let browser: Browser;

const auth = await startAuth();
env().PUBLIC_BASE_URL = auth.url;
const logoutUrl = `${auth.url}/api/sso/logout/company`;
const provider = await startOpenidProvider(auth.url, ["company"], [{ id: "signalbox", secret: SECRET }]);
afterAll(() => {
  provider.close();
  auth.close();
});
beforeEach(async () => {
  provider.intercept = null;
  env().ALLOW_SIGNUP = false;
  setProvider();
  await emptyTables("users", "workspaces", "sign_in_attempts", "used_sign_in_tokens");
  const owner = await signUp(
    signUpInput.parse({ name: "Owner", email: "owner@example.com", password: "right password" }),
  );
  const actor = { type: "user" as const, id: owner.userId, name: "Owner" };
  const { workspaceId } = owner;
  await createInvite({ workspaceId, actor, actorUserId: owner.userId, email: "ann@example.com", role: "editor" });
  browser = new Browser(auth.url);
  await browser.signInAt("company");
});

function setProvider(changes: object = {}): void {
  const issuer = provider.url;
  const setting = { name: "company", label: "Company", issuer, client_id: "signalbox", client_secret: SECRET };
  env().OIDC_PROVIDERS = oidcProvidersSchema.parse([{ ...setting, ...changes }]);
}

/** Clicks through the provider's page that asks whether to sign out; returns where it leads to. */
async function confirmAt(address: URL, visitor = browser): Promise<string | null> {
  const page = await (await visitor.visitProvider(address.toString())).text();
  const action = /action="([^"]+)"/.exec(page)?.[1] ?? "";
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? "";
  return (await visitor.visitProvider(action, { xsrf, logout: "yes" })).headers.get("location");
}

const seconds = (from: number) => Math.floor(Date.now() / 1_000) + from;

/** Sends a logout token for the session of `browser`, changed; returns the status and the body of the answer. */
async function send(changes: object, sign: Sign = provider.sign): Promise<[number, string]> {
  const { rows } = await db().query<{ sid: string }>(
    "select provider_sid as sid from user_sessions order by created_at",
  );
  const claims = {
    iss: provider.url,
    aud: "signalbox",
    iat: seconds(0),
    exp: seconds(120),
    jti: randomUUID(),
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    sid: rows[0]?.sid,
    ...changes,
  };
  const body = new URLSearchParams({ logout_token: sign(claims) });
  const answer = await fetch(logoutUrl, { method: "POST", body });
  return [answer.status, await answer.text()];
}

type Sign = (claims: object) => string;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signs with a key that is not the provider's, under the name of its key. */
const forge: Sign = (claims) => {
  const signed = `${part({ alg: "RS256", kid: "k1" })}.${part(claims)}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(privateKey, "base64url")}`;
};
const unsigned: Sign = (claims) => `${part({ alg: "none" })}.${part(claims)}.`;
const withSecret: Sign = (claims) => {
  const signed = `${part({ alg: "HS256" })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", SECRET).update(signed).digest("base64url")}`;
};

describe("signing out", () => {
  test("leads over the provider, which ends its session, and back to the page that was asked for", async () => {
    const away = await browser.signOut("/signup?invite=1");
    expect(await browser.session()).toBeNull();
    expect(away.origin).toBe(provider.url);
    expect(away.searchParams.get("id_token_hint")?.split(".")).toHaveLength(3);
    const back = (await confirmAt(away)) ?? "";
    expect(back.startsWith(`${auth.url}/api/sso/signed-out?state=`)).toBe(true);
    const end = await browser.visit(back);
    expect([end.status, end.headers.get("location"), end.headers.get("cache-control")]).toEqual([
      303,
      "/signup?invite=1",
      "no-store",
    ]);
    // Its session is over: it asks who is there.
    const form = { csrfToken: await browser.csrfToken(), callbackUrl: "/" };
    const start = (await browser.visit(`${auth.url}/api/auth/signin/company`, form)).headers.get("location") ?? "";
    const asked = await browser.visitProvider(start);
    expect(asked.headers.get("location")).toMatch(/^\/interaction\//);
  });

  test.each([
    ["sign_out is local", () => setProvider({ sign_out: "local" })],
    ["the provider is no longer set up", () => Object.assign(env(), { OIDC_PROVIDERS: [] })],
    ["the provider cannot be reached", () => setProvider({ issuer: "http://127.0.0.1:9" })],
  ])("ends only the session here if %s", async (_why, change) => {
    change();
    expect((await browser.signOut()).pathname).toBe("/sign-in");
    expect(await browser.session()).toBeNull();
  });

  test("a state that was changed, and one that leads to another site, open the sign-in page", async () => {
    const state = (await browser.signOut("https://evil.example.com/")).searchParams.get("state") ?? "";
    const open = async (given: string) =>
      (await browser.visit(`${auth.url}/api/sso/signed-out?state=${given}`)).headers.get("location");
    expect(await open(`${state.slice(0, -4)}AAAA`)).toBe("/sign-in");
    expect(await open("")).toBe("/sign-in");
    expect(await open(state)).toBe("/");
    // One that is sealed for another purpose, and one that has expired.
    expect(await open(sealSignInToken("second_factor", { return_to: "/runs" }))).toBe("/sign-in");
    const valid = sealSignInToken("signed_out", { return_to: "/runs" });
    expect(await open(valid)).toBe("/runs");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 });
    expect(await open(valid).finally(() => vi.useRealTimers())).toBe("/sign-in");
  });

  test("the ID token is sealed in the database", async () => {
    const { rows } = await db().query<{ sealed: Buffer }>("select id_token_sealed as sealed from user_sessions");
    expect(rows[0]?.sealed.toString("latin1")).not.toContain("eyJ");
  });
});

describe("a back-channel logout", () => {
  test("a sign-out at the provider ends the session here at once", async () => {
    const other = new Browser(auth.url);
    await other.signInAt("company");
    await confirmAt(new URL(`${provider.url}/session/end`));
    expect(provider.errors).toEqual([]);
    expect(await browser.session()).toBeNull();
    expect(await other.session()).not.toBeNull();
    const { rows } = await db().query("select details from audit_events where action = 'user.sessions_ended'");
    expect(rows).toEqual([{ details: { count: 1, provider: "company" } }]);
  });

  test("with the subject alone ends every session that the person started there, and no other", async () => {
    const second = new Browser(auth.url);
    await second.signInAt("company");
    const { userId = "" } = (await browser.session()) ?? {};
    await addSession(userId);
    expect(await send({ sid: undefined, sub: "1" })).toEqual([200, ""]);
    expect([await browser.session(), await second.session()]).toEqual([null, null]);
    expect((await db().query("select method from user_sessions")).rows).toEqual([{ method: "password" }]);
  });

  test("ends a sign-in that waits for the second step", async () => {
    const { userId = "", sessionId } = (await browser.session()) ?? {};
    const { secret } = await enrollTotp(userId, sessionId ?? "");
    const ticketOf = async (visitor: Browser) => (await visitor.signInAt("company")).searchParams.get("ticket") ?? "";
    const [ended, kept] = [new Browser(auth.url), new Browser(auth.url)];
    const tickets = [await ticketOf(ended), await ticketOf(kept)] as const;
    await confirmAt(new URL(`${provider.url}/session/end`), ended);
    const proof = { code: codeAt(secret) };
    expect(await ended.signIn({ ticket: tickets[0], ...proof }, "second-factor")).toBe("SignInExpired");
    expect(await kept.signIn({ ticket: tickets[1], ...proof }, "second-factor")).toBeNull();
    // The session knows where it came from.
    expect((await kept.signOut()).origin).toBe(provider.url);
  });

  test("with the subject alone ends a sign-in that waits for the second step, and not a later one", async () => {
    const { userId = "", sessionId } = (await browser.session()) ?? {};
    const { secret } = await enrollTotp(userId, sessionId ?? "");
    const secondStep = async (visitor: Browser, before: () => Promise<unknown> = async () => null) => {
      const ticket = (await visitor.signInAt("company")).searchParams.get("ticket") ?? "";
      await before();
      return visitor.signIn({ ticket, code: codeAt(secret) }, "second-factor");
    };
    const signOutEverywhere = () => send({ sid: undefined, sub: "1" });
    expect(await secondStep(new Browser(auth.url), signOutEverywhere)).toBe("SignInExpired");
    expect(await secondStep(new Browser(auth.url), () => send({ sid: "another", sub: "1" }))).toBeNull();
  });

  test("ends a sign-in that the provider has confirmed and that has no session yet", async () => {
    setProvider({ reads_userinfo: true });
    for (const changes of [{ sid: undefined, sub: "1" }, { sub: "1" }]) {
      const visitor = new Browser(auth.url);
      let sid: unknown;
      changeAnswer(provider, "/token", (answer) => {
        ({ sid } = decodeJwt(String(answer.id_token)));
        changeAnswer(provider, "/me", async (person) => {
          expect((await send({ sid, ...changes }))[0]).toBe(200);
          return person;
        });
        return answer;
      });
      expect((await visitor.signInAt("company")).searchParams.get("error")).toBe("Callback");
      expect(await visitor.session()).toBeNull();
    }
    provider.intercept = null;
    expect((await browser.signInAt("company")).pathname).toBe("/runs");
  });

  test("with the subject alone ends the sessions of a person who has disconnected the account", async () => {
    await db().query("delete from user_identities");
    expect(await send({ sid: undefined, sub: "another" })).toEqual([200, ""]);
    expect(await browser.session()).not.toBeNull();
    expect(await send({ sid: undefined, sub: "1" })).toEqual([200, ""]);
    expect(await browser.session()).toBeNull();
  });

  test("with the subject alone ends a session that started before subjects were stored", async () => {
    await db().query("update user_sessions set provider_subject = null");
    expect(await send({ sid: undefined, sub: "1" })).toEqual([200, ""]);
    expect(await browser.session()).toBeNull();
  });

  test("refuses a token that is sent again", async () => {
    const jti = randomUUID();
    expect(await send({ jti, sid: "another" })).toEqual([200, ""]);
    const [status, body] = await send({ jti });
    expect([status, JSON.parse(body)]).toEqual([
      400,
      { error: "invalid_request", error_description: "jti: was used before" },
    ]);
    expect(await browser.session()).not.toBeNull();
  });

  test("refuses an unknown provider, a missing token and a body that is too large, and stores no answer", async () => {
    const post = (url: string, body: string) => fetch(url, { method: "POST", body });
    const unknown = await post(`${auth.url}/api/sso/logout/another`, "logout_token=x");
    expect([unknown.status, unknown.headers.get("cache-control")]).toEqual([400, "no-store"]);
    expect((await post(logoutUrl, "")).status).toBe(400);
    expect((await post(logoutUrl, "x".repeat(20_000))).status).toBe(413);
  });

  test("refuses a token if the keys of the provider cannot be read", async () => {
    setProvider({ issuer: "http://127.0.0.1:9" });
    expect((await send({ iss: "http://127.0.0.1:9" }))[0]).toBe(400);
  });

  // Functions, so that the times count from the moment when the token is sent.
  test.each<[string, () => object, string, Sign?]>([
    ["that another key signed", () => ({}), "signature verification failed", forge],
    ["for another client", () => ({ aud: "another" }), '"aud"'],
    ["of another issuer", () => ({ iss: "https://evil.example.com" }), '"iss"'],
    ["that has expired", () => ({ exp: seconds(-60) }), '"exp"'],
    ["without an expiry", () => ({ exp: undefined }), '"exp"'],
    ["that is an hour old", () => ({ iat: seconds(-3_600) }), '"iat"'],
    ["from the future", () => ({ iat: seconds(60) }), '"iat"'],
    ["without a time", () => ({ iat: undefined }), '"iat"'],
    ["without a jti", () => ({ jti: undefined }), '"jti"'],
    ["without events", () => ({ events: undefined }), '"events"'],
    ["of another event", () => ({ events: { "https://example.com/other": {} } }), "events"],
    ["with a nonce", () => ({ nonce: "1" }), "nonce"],
    ["without a session and a subject", () => ({ sid: undefined, sub: undefined }), "sid"],
    ["that is not signed", () => ({}), "alg", unsigned],
    ["that is signed with the secret of the client", () => ({}), "alg", withSecret],
  ])("refuses a token %s", async (_what, changes, reason, sign) => {
    const [status, body] = await send(changes(), sign);
    expect([status, JSON.parse(body).error]).toEqual([400, "invalid_request"]);
    expect(JSON.parse(body).error_description).toContain(reason);
    expect(await browser.session()).not.toBeNull();
  });

  test("a source that sends too many wrong tokens has to wait, and right ones do not count", async () => {
    for (let n = 0; n < LIMITS.signInRequestsBurst + 5; n += 1) expect((await send({ sid: "another" }))[0]).toBe(200);
    const statuses = new Set<number>();
    // More than the burst: the source gets requests back meanwhile.
    for (let n = 0; n < 2_000 && !statuses.has(429); n += 1) statuses.add((await send({ aud: "another" }))[0]);
    expect([...statuses]).toEqual([400, 429]);
  });
});
