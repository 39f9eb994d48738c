import { afterAll, beforeEach, expect, test } from "vitest";
import { Browser, startAuth } from "#lib/api/auth/auth-browser.fixture";
import { IDENTITY_CLIENT, startIdentityProvider } from "#lib/api/auth/identity-provider.fixture";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { endSessions } from "#lib/domain/accounts/end-sessions";
import { getSignInMethods } from "#lib/domain/accounts/get-sign-in-methods";
import { listSessions } from "#lib/domain/accounts/list-sessions";
import { removeIdentity } from "#lib/domain/accounts/remove-identity";
import { signUp } from "#lib/domain/accounts/sign-up";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { findInvite } from "#lib/domain/workspaces/invites/find-invite";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { emptyTables, openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const PASSWORD = "right password";
const newBrowser = () => new Browser(auth.url);

let owner: { userId: string; workspaceId: string };
const invite = (email: string) => {
  const actor = { type: "user" as const, id: owner.userId, name: "Owner" };
  return createInvite({ workspaceId: owner.workspaceId, actor, actorUserId: owner.userId, email, role: "editor" });
};
const people = async () => (await db().query<{ email: string }>("select email from users order by email")).rows;

const provider = await startIdentityProvider();
const client = {
  GITHUB_CLIENT_ID: IDENTITY_CLIENT.id,
  GITHUB_CLIENT_SECRET: IDENTITY_CLIENT.secret,
  GITHUB_BASE_URL: provider.url,
};
const google = {
  GOOGLE_CLIENT_ID: IDENTITY_CLIENT.id,
  GOOGLE_CLIENT_SECRET: IDENTITY_CLIENT.secret,
  GOOGLE_ISSUER: provider.url,
};
Object.assign(env(), client, google);
const auth = await startAuth();
beforeEach(async () => {
  env().ALLOW_SIGNUP = false;
  provider.person = { id: 1, name: "Ann Lee", email: "ann@example.com", isVerified: true };
  await emptyTables("users", "workspaces", "sign_in_attempts");
  owner = await signUp(signUpInput.parse({ name: "Owner", email: "owner@example.com", password: PASSWORD }));
});
afterAll(async () => {
  await provider.close();
  auth.close();
});

test.each(["github", "google"] as const)(
  "%s: an invite to the account's address lets its owner sign up",
  async (service) => {
    const browser = newBrowser();
    expect((await browser.continueWith(service)).search).toBe("?error=SignUpClosed");
    expect(await people()).toHaveLength(1);
    await invite("ann@example.com");
    expect((await browser.continueWith(service)).pathname).toBe("/runs");
    expect(await browser.session()).toMatchObject({ name: "Ann Lee", role: "editor", workspaceId: owner.workspaceId });
    // From now on the service's own id identifies the account, even if its address changes.
    provider.person = { ...provider.person, email: "new@example.com", isVerified: false };
    const again = newBrowser();
    expect((await again.continueWith(service)).pathname).toBe("/runs");
    expect((await again.session())?.userId).toBe((await browser.session())?.userId);
  },
);

test("an account with an unverified address cannot sign in, whichever address it names", async () => {
  env().ALLOW_SIGNUP = true;
  provider.person.isVerified = false;
  await invite("ann@example.com");
  for (const email of ["ann@example.com", "owner@example.com"]) {
    provider.person.email = email;
    for (const service of ["github", "google"] as const) {
      const browser = newBrowser();
      expect((await browser.continueWith(service)).search).toBe("?error=UnverifiedEmail");
      expect(await browser.session()).toBeNull();
    }
  }
  expect(await people()).toHaveLength(1);
});

test("an account with a password is connected only after its password is entered", async () => {
  provider.person.email = "Owner@example.com";
  const browser = newBrowser();
  const asked = await browser.continueWith("github");
  expect(asked.pathname).toBe("/sign-in");
  expect(await browser.session()).toBeNull();
  const link = asked.searchParams.get("link") ?? "";
  await browser.signIn({ email: "owner@example.com", password: "wrong password", link });
  expect(await browser.session()).toBeNull();
  await browser.signIn({ email: "owner@example.com", password: PASSWORD, link });
  expect((await browser.session())?.userId).toBe(owner.userId);
  const second = newBrowser();
  expect((await second.continueWith("github")).pathname).toBe("/runs");
  expect((await second.session())?.userId).toBe(owner.userId);
  // The same password of another account must not connect an address that someone else verified.
  provider.person = { id: 2, name: "Bob", email: "bob@example.com", isVerified: true };
  await invite("bob@example.com");
  await signUp(
    signUpInput.parse({
      name: "Bob",
      email: "bob@example.com",
      password: "bob's password",
      invite: (await invite("bob@example.com")).link.split("=")[1],
    }),
  );
  const bobs = (await newBrowser().continueWith("github")).searchParams.get("link") ?? "";
  await browser.signIn({ email: "owner@example.com", password: PASSWORD, link: bobs });
  expect((await getSignInMethods(owner.userId)).identities.map(({ subject }) => subject)).toEqual([
    `${provider.url}|1`,
  ]);
});

test("if sign-up is open, a new user gets a workspace, and no password until they choose one", async () => {
  env().ALLOW_SIGNUP = true;
  const waiting = await invite("ann@example.com");
  const browser = newBrowser();
  await browser.continueWith("google");
  const session = await browser.session();
  expect(session).toMatchObject({ name: "Ann Lee", role: "owner" });
  expect(session?.workspaceId).not.toBe(owner.workspaceId);
  // No one joins a foreign workspace without a click.
  expect(await findInvite(db(), waiting.link.split("=")[1] ?? "")).toMatchObject({ email: "ann@example.com" });
  const userId = session?.userId ?? "";
  const methods = await getSignInMethods(userId);
  expect(methods).toMatchObject({
    has_password: false,
    identities: [{ provider: "google", email: "ann@example.com" }],
  });
  const actor = { type: "user" as const, id: userId, name: "Ann Lee" };
  const sessionId = session?.sessionId ?? null;
  const only = { userId, actor, sessionId, provider: "google" as const, subject: `${provider.url}|g1` };
  await expect(removeIdentity(only)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await browser.signIn({ email: "ann@example.com", password: "" });
  // The address is verified, so the other service's account belongs to the same user.
  await newBrowser().continueWith("github");
  await removeIdentity(only);
  expect((await getSignInMethods(userId)).identities.map((one) => one.provider)).toEqual(["github"]);
});

test("a stolen session cannot disconnect an account of another service without a recent sign-in", async () => {
  env().ALLOW_SIGNUP = true;
  const browser = newBrowser();
  await browser.continueWith("google");
  await newBrowser().continueWith("github");
  const { userId = "", sessionId = null } = (await browser.session()) ?? {};
  const actor = { type: "user" as const, id: userId, name: "Ann Lee" };
  const google = { userId, actor, sessionId, provider: "google" as const, subject: `${provider.url}|g1` };
  await db().query("update user_sessions set verified_at = now() - interval '11 minutes'");
  await expect(removeIdentity(google)).rejects.toMatchObject({ code: "FORBIDDEN", reason: "confirmation_needed" });
  expect((await getSignInMethods(userId)).identities).toHaveLength(2);
  await db().query("update user_sessions set verified_at = now()");
  await removeIdentity(google);
  expect((await getSignInMethods(userId)).identities).toHaveLength(1);
});

test("a code works only for the browser that requested it", async () => {
  await invite("ann@example.com");
  const browser = newBrowser();
  const form = { csrfToken: await browser.csrfToken(), callbackUrl: "/runs" };
  const away = await browser.visit(`${auth.url}/api/auth/signin/github`, form);
  const back = await fetch(away.headers.get("location") ?? "", { redirect: "manual" });
  const eve = newBrowser();
  const end = await eve.visit(back.headers.get("location") ?? "");
  expect(end.headers.get("location")).toContain("error=OAuthCallback");
  expect(await eve.session()).toBeNull();
});

test("an account of another server with the same id is a different user", async () => {
  await invite("ann@example.com");
  await newBrowser().continueWith("github");
  await db().query("update user_identities set subject = split_part(subject, '|', 2)");
  provider.person = { id: 1, name: "Eve", email: "eve@example.com", isVerified: true };
  expect((await newBrowser().continueWith("github")).search).toBe("?error=SignUpClosed");
});

test("a server error is shown only with the page's own message", async () => {
  await db().query("alter table user_identities rename to user_identities_gone");
  try {
    expect((await newBrowser().continueWith("github")).search).toBe("?error=SignInFailed");
  } finally {
    await db().query("alter table user_identities_gone rename to user_identities");
  }
});

test("a session is listed with the place it started from, and ends separately from others", async () => {
  const [here, there] = [newBrowser(), newBrowser()];
  const login = { email: "owner@example.com", password: PASSWORD };
  await here.signIn(login);
  await there.signIn(login);
  const current = await here.session();
  const sessions = await listSessions(owner.userId, current?.sessionId ?? null);
  expect(sessions).toMatchObject([
    { is_current: true, method: "password", user_agent: "a browser", address: "1.1.1.1" },
    { is_current: false },
  ]);
  const actor = { type: "user" as const, id: owner.userId, name: "Owner" };
  const request = { userId: owner.userId, actor, currentId: current?.sessionId ?? null };
  expect(await endSessions(request)).toBe(1);
  expect(await there.session()).toBeNull();
  expect((await here.session())?.userId).toBe(owner.userId);
  // A user cannot end another user's session, and a signed-out session is over wherever its cookie was copied.
  const foreign = { ...request, userId: "00000000-0000-7000-8000-000000000000", sessionId: current?.sessionId ?? "" };
  await expect(endSessions(foreign)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const copy = newBrowser();
  for (const [name, value] of here.cookies) copy.cookies.set(name, value);
  await here.visit(`${auth.url}/api/auth/signout`, { csrfToken: await here.csrfToken() });
  expect(await copy.session()).toBeNull();
});
