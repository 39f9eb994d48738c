import { describe, expect, test, vi } from "vitest";
import { Browser } from "#lib/api/auth/auth-browser.fixture";
import { sealLinkToken } from "#lib/api/auth/link-token";
import { PASSWORD, replaceIdToken, useOidcStage } from "#lib/api/auth/oidc-stage.fixture";
import { getSignInMethods } from "#lib/domain/accounts/get-sign-in-methods";
import { codeAt, enrollTotp } from "#lib/domain/accounts/two-step/authenticator.fixture";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const stage = useOidcStage(["company", "other"]);

const secondFactors = async () =>
  (await db().query<{ factor: string | null }>("select second_factor as factor from user_sessions order by created_at"))
    .rows;

/** Signs Ann in, and gives her a second factor; returns its secret. */
async function enrollAnn(): Promise<string> {
  await stage.browser.signInAt("company");
  const { userId = "", sessionId } = (await stage.browser.session()) ?? {};
  return (await enrollTotp(userId, sessionId ?? "")).secret;
}

describe("a second factor at the provider", () => {
  const claimed = (changes: object) =>
    replaceIdToken(stage.provider, (claims) => stage.provider.sign({ ...claims, ...changes }));

  test.each([
    ["a listed amr", { amr: ["pwd", "mfa"] }, "provider"],
    ["a listed acr", { acr: "phr" }, "provider"],
    ["values that are not listed", { amr: ["pwd", "otp"], acr: "0" }, null],
    ["no values", {}, null],
  ])("is taken from %s", async (_what, changes, factor) => {
    stage.setProvider({ mfa: { amr: ["mfa"], acr: ["phr"] } });
    claimed(changes);
    expect(await stage.refusalOf()).toBeNull();
    expect(await secondFactors()).toEqual([{ factor }]);
  });

  test("does not replace the person's own", async () => {
    const secret = await enrollAnn();
    claimed({ amr: ["mfa"] });
    const again = new Browser(stage.auth.url);
    const ticket = (await again.signInAt("company")).searchParams.get("ticket") ?? "";
    expect(await again.session()).toBeNull();
    expect(await again.signIn({ ticket, code: codeAt(secret) }, "second-factor")).toBeNull();
    expect((await secondFactors()).at(-1)).toEqual({ factor: "authenticator" });
  });
});

test("a sign-in that waits for the second step is over when its provider is no longer set up", async () => {
  const secret = await enrollAnn();
  const again = new Browser(stage.auth.url);
  const ticket = (await again.signInAt("company")).searchParams.get("ticket") ?? "";
  env().OIDC_PROVIDERS = [];
  expect(await again.signIn({ ticket, code: codeAt(secret) }, "second-factor")).toBe("SignInExpired");
  expect(await again.session()).toBeNull();
});

test("a password connects no account with another address, and none by a token that was changed or has expired", async () => {
  const signIn = (link: string) => stage.browser.signIn({ email: "owner@example.com", password: PASSWORD, link });
  const subject = `${stage.provider.url}|1`;
  const other = await sealLinkToken({ provider: "oidc", subject, email: "ann@example.com" });
  const own = await sealLinkToken({ provider: "oidc", subject, email: "owner@example.com" });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 11 * 60_000 });
  const sealing = sealLinkToken({ provider: "oidc", subject, email: "owner@example.com" });
  const expired = await sealing.finally(() => vi.useRealTimers());
  for (const link of [other, `${own.slice(0, -4)}AAAA`, expired]) {
    expect(await signIn(link)).toBeNull();
    expect((await getSignInMethods(stage.owner.userId)).identities).toEqual([]);
  }
  expect(await signIn(own)).toBeNull();
  expect((await getSignInMethods(stage.owner.userId)).identities).toMatchObject([{ subject }]);
});

test.each(["state", "pkce.code_verifier", "nonce"])(
  "the cookie %s of one provider is refused at another",
  async (name) => {
    const back = await stage.browser.leaveFor("company");
    const foreign = new Browser(stage.auth.url);
    stage.setProvider({ name: "other" });
    await foreign.leaveFor("other");
    const cookie = `next-auth.${name}`;
    expect(foreign.cookies.has(cookie)).toBe(true);
    stage.browser.cookies.set(cookie, foreign.cookies.get(cookie) ?? "");
    stage.setProvider();
    expect((await stage.browser.comeBack(back)).searchParams.get("error")).toBe("OAuthCallback");
    expect(await stage.browser.session()).toBeNull();
  },
);

test("an answer for one provider is refused at the address of another", async () => {
  const back = new URL(await stage.browser.leaveFor("company"));
  stage.setProvider({ name: "other" });
  back.pathname = back.pathname.replace("company", "other");
  expect((await stage.browser.comeBack(back)).searchParams.get("error")).toBe("OAuthCallback");
  expect(await stage.browser.session()).toBeNull();
});

test("a provider that cannot be reached when the sign-in starts leads back to the sign-in page", async () => {
  stage.setProvider({ issuer: "http://127.0.0.1:9" });
  const form = { csrfToken: await stage.browser.csrfToken(), callbackUrl: "/" };
  const answer = await stage.browser.visit(`${stage.auth.url}/api/auth/signin/company`, form);
  expect(new URL(answer.headers.get("location") ?? "").searchParams.get("error")).toBe("OAuthSignin");
});

describe("if a workspace maps groups", () => {
  const rule = `insert into workspace_sso (workspace_id, provider, group_roles)
                values ($1, 'company', '[{"group": "support", "role": "viewer"}]')`;

  test.each([
    ["no groups", {}, "GroupsMissing:groups"],
    ["too many groups", { hasgroups: true }, "GroupsOverage"],
    ["groups that are objects", { groups: [{ name: "support" }] }, "GroupsUnreadable:groups"],
  ])("%s refuse the sign-in, and the person keeps the membership", async (_what, claims, code) => {
    await db().query("delete from workspace_invites");
    await db().query(rule, [stage.owner.workspaceId]);
    const { person } = stage.provider;
    stage.provider.person = { ...person, groups: ["support"] };
    expect(await stage.refusalOf()).toBeNull();
    const { userId } = (await stage.browser.session()) ?? {};
    const members = "select role, provider from workspace_members where user_id = $1";
    expect((await db().query(members, [userId])).rows).toEqual([{ role: "viewer", provider: "company" }]);
    replaceIdToken(stage.provider, ({ groups: _groups, ...rest }) => stage.provider.sign({ ...rest, ...claims }));
    expect(await stage.refusalOf()).toBe(code);
    expect((await db().query(members, [userId])).rows).toEqual([{ role: "viewer", provider: "company" }]);
  });
});
