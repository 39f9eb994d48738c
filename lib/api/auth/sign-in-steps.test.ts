import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { Browser, startAuth } from "#lib/api/auth/auth-browser.fixture";
import { IDENTITY_CLIENT, startIdentityProvider } from "#lib/api/auth/identity-provider.fixture";
import { sealLinkToken } from "#lib/api/auth/link-token";
import { postSignInChallenge } from "#lib/api/auth/sign-in-challenge-route";
import { sealTicket } from "#lib/api/auth/sign-in-ticket";
import type { SignInChallenge } from "#lib/contract/account/account";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { getSignInMethods } from "#lib/domain/accounts/get-sign-in-methods";
import { listSessions } from "#lib/domain/accounts/list-sessions";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { signUp } from "#lib/domain/accounts/sign-up";
import { addPasskey } from "#lib/domain/accounts/two-step/add-passkey";
import { codeAt, enrollTotp, TestAuthenticator } from "#lib/domain/accounts/two-step/authenticator.fixture";
import { beginPasskey } from "#lib/domain/accounts/two-step/begin-passkey";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { emptyTables, openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const EMAIL = "ann@example.com";
const PASSWORD = "right password";
let userId: string;
let sessionId: string;
let browser: Browser;

const provider = await startIdentityProvider();
const { id: GITHUB_CLIENT_ID, secret: GITHUB_CLIENT_SECRET } = IDENTITY_CLIENT;
Object.assign(env(), { GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GITHUB_BASE_URL: provider.url });
const auth = await startAuth();
beforeEach(async () => {
  await emptyTables("users", "workspaces", "sign_in_attempts");
  ({ userId } = await signUp(signUpInput.parse({ name: "Ann", email: EMAIL, password: PASSWORD })));
  ({ sessionId } = await addSession(userId));
  browser = new Browser(auth.url);
});
afterAll(async () => {
  await provider.close();
  auth.close();
});

/** Returns the ticket of a first step that was accepted. */
const ticketIn = (error: string | null) => error?.match(/^SecondFactorNeeded:(.+)$/)?.[1] ?? "";
const enterPassword = async () => ticketIn(await browser.signIn({ email: EMAIL, password: PASSWORD }));

async function challenge(body: { ticket?: string }) {
  const url = `${env().PUBLIC_BASE_URL}/api/sign-in-challenge`;
  const headers = { "content-type": "application/json", origin: env().PUBLIC_BASE_URL };
  const answer = await postSignInChallenge(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
  return { status: answer.status, ...((await answer.json()) as SignInChallenge) };
}

async function enrollPasskey(): Promise<TestAuthenticator> {
  const device = new TestAuthenticator();
  const request = { userId, actor: { type: "user" as const, id: userId, name: "Ann" }, sessionId };
  const begun = await beginPasskey(request);
  await addPasskey({ ...request, name: "Key", token: begun.token, response: device.create(begun) });
  return device;
}

describe("with two-step verification", () => {
  test("a password alone leaves no session and no cookie of one", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    const ticket = await enterPassword();
    expect(ticket).not.toBe("");
    expect(await browser.session()).toBeNull();
    expect([...browser.cookies.keys()].filter((name) => name.includes("session"))).toEqual([]);
    expect(await listSessions(userId, null)).toHaveLength(1);
    expect(await browser.signIn({ ticket, code: codeAt(secret) }, "second-factor")).toBeNull();
    expect(await browser.session()).toMatchObject({ userId });
    const [newest] = await listSessions(userId, null);
    expect(newest).toMatchObject({ method: "password", second_factor: "authenticator" });
  });

  test("a wrong code, a missing one, a forged ticket and the id of the person open nothing", async () => {
    const { secret } = await enrollTotp(userId, sessionId);
    const ticket = await enterPassword();
    const code = codeAt(secret);
    expect(await browser.signIn({ ticket, code: "000000" }, "second-factor")).toBe("CredentialsSignin");
    expect(await browser.signIn({ ticket }, "second-factor")).toBe("CredentialsSignin");
    expect(await browser.signIn({ ticket: userId, code }, "second-factor")).toBe("SignInExpired");
    expect(await browser.signIn({ ticket: `${ticket.slice(0, -4)}AAAA`, code }, "second-factor")).toBe("SignInExpired");
    expect(await browser.signIn({ email: EMAIL, password: PASSWORD, code }, "credentials")).toContain(
      "SecondFactorNeeded",
    );
    expect(await browser.session()).toBeNull();
  });

  test("another service is one factor: the code comes after it, and the account is connected only then", async () => {
    await db().query("update users set password_hash = null");
    const { secret } = await enrollTotp(userId, sessionId);
    provider.person = { id: 1, name: "Ann", email: EMAIL, isVerified: true };
    const end = await browser.continueWith("github");
    const ticket = end.searchParams.get("ticket") ?? "";
    expect(end.pathname).toBe("/sign-in");
    expect(await browser.session()).toBeNull();
    expect((await getSignInMethods(userId)).identities).toEqual([]);
    expect(await browser.signIn({ ticket, code: codeAt(secret) }, "second-factor")).toBeNull();
    expect(await browser.session()).toMatchObject({ userId });
    expect((await getSignInMethods(userId)).identities).toMatchObject([{ provider: "github", email: EMAIL }]);
    // The account is known now, and the code is still asked for.
    const again = new Browser(auth.url);
    expect((await again.continueWith("github")).searchParams.has("ticket")).toBe(true);
    expect(await again.session()).toBeNull();
  });

  test("a passkey is a second factor for the person of the ticket", async () => {
    const device = await enrollPasskey();
    const ticket = await enterPassword();
    const { passkey, has_authenticator: hasAuthenticator } = await challenge({ ticket });
    expect(hasAuthenticator).toBe(false);
    if (passkey === null) throw new Error("no passkey was asked for");
    const { token, response } = device.sign(passkey);
    const form = { ticket, token, response: JSON.stringify(response) };
    expect(await browser.signIn(form, "second-factor")).toBeNull();
    expect((await listSessions(userId, null))[0]).toMatchObject({ method: "password", second_factor: "passkey" });
  });
});

test("a passkey signs in without an address, a password and a second step", async () => {
  const device = await enrollPasskey();
  const { passkey } = await challenge({});
  if (passkey === null) throw new Error("no passkey was asked for");
  const { token, response } = device.sign(passkey);
  expect(await browser.signIn({ token, response: JSON.stringify(response) }, "passkey")).toBeNull();
  expect(await browser.session()).toMatchObject({ userId });
  expect((await listSessions(userId, null))[0]).toMatchObject({ method: "passkey" });
  expect(await browser.signIn({ token, response: JSON.stringify(response) }, "passkey")).toBe("CredentialsSignin");
});

test("the longest ticket of a provider can be read", async () => {
  const subject = `https://${"i".repeat(100)}.example.com|${"s".repeat(255)}`;
  const idToken = "t".repeat(2_000);
  const origin = { provider: "company", subject, sid: "s".repeat(100), idToken, startedAt: Date.now() };
  const link = await sealLinkToken({ provider: "oidc", subject, email: EMAIL });
  const ticket = sealTicket({ user_id: userId, epoch: 0, method: "oidc", origin, invite: null, link });
  expect(await challenge({ ticket })).toMatchObject({ status: 200, has_authenticator: false });
});

test("the challenge of an expired ticket says to start again", async () => {
  expect(await challenge({ ticket: "AAAA" })).toMatchObject({
    status: 400,
    error: "This sign-in has expired. Start again.",
  });
});
