import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth from "next-auth";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { authOptions } from "#lib/api/auth/auth-options";
import { IDENTITY_CLIENT, startIdentityProvider } from "#lib/api/auth/identity-provider.fixture";
import { findSession } from "#lib/api/auth/session";
import { signUpInput } from "#lib/contract/inputs/person-inputs";
import { endSessions } from "#lib/domain/accounts/end-sessions";
import { getSignInMethods } from "#lib/domain/accounts/get-sign-in-methods";
import { listSessions } from "#lib/domain/accounts/list-sessions";
import { removeIdentity } from "#lib/domain/accounts/remove-identity";
import { signUp } from "#lib/domain/accounts/sign-up";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { findInvite } from "#lib/domain/workspaces/invites/find-invite";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const PASSWORD = "right password";
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let server: Server;
let url: string;

/** Serves next-auth's endpoints on real HTTP, with its handler for plain Node servers. */
async function startAuth(): Promise<void> {
  server = createServer(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", url);
    let text = "";
    for await (const chunk of incoming) text += chunk;
    const nextauth = pathname.replace("/api/auth/", "").split("/");
    const cookies = Object.fromEntries(
      (incoming.headers.cookie ?? "")
        .split("; ")
        .map((pair) => [pair.split("=")[0], decodeURIComponent(pair.split("=")[1] ?? "")]),
    );
    const request = Object.assign(incoming, {
      query: { ...Object.fromEntries(searchParams), nextauth },
      body: Object.fromEntries(new URLSearchParams(text)),
      cookies,
    }) as unknown as NextApiRequest;
    const response = Object.assign(outgoing, {
      status: (code: number) => Object.assign(response, { statusCode: code }),
      json: (body: unknown) => response.end(JSON.stringify(body)),
      send: (body: unknown) => response.end(typeof body === "object" ? JSON.stringify(body) : body),
    }) as unknown as NextApiResponse;
    await NextAuth(request, response, authOptions({ address: "1.1.1.1", userAgent: "a browser" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.NEXTAUTH_URL = url;
}

/** A browser: keeps its cookies and does not follow redirects on its own. */
class Browser {
  readonly cookies = new Map<string, string>();

  async visit(address: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const body = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
    const response = await fetch(address, { redirect: "manual", headers: { cookie }, ...body });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  async csrfToken(): Promise<string> {
    return ((await (await this.visit(`${url}/api/auth/csrf`)).json()) as { csrfToken: string }).csrfToken;
  }

  /**
   * Clicks the button, agrees at the service and comes back.
   * @returns the URL the user ends on
   */
  async continueWith(service: "github" | "google"): Promise<URL> {
    const form = { csrfToken: await this.csrfToken(), callbackUrl: "/runs" };
    const away = await this.visit(`${url}/api/auth/signin/${service}`, form);
    const back = await fetch(away.headers.get("location") ?? "", { redirect: "manual" });
    const end = await this.visit(back.headers.get("location") ?? "");
    return new URL(end.headers.get("location") ?? "", url);
  }

  async signIn(form: Record<string, string>): Promise<void> {
    await this.visit(`${url}/api/auth/callback/credentials`, { csrfToken: await this.csrfToken(), ...form });
  }

  /** Returns the user that the pages show for this browser. */
  async session() {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return findSession(new Headers({ cookie }));
  }
}

let owner: { userId: string; workspaceId: string };
const invite = (email: string) => {
  const actor = { type: "user" as const, id: owner.userId, name: "Owner" };
  return createInvite({ workspaceId: owner.workspaceId, actor, actorUserId: owner.userId, email, role: "editor" });
};
const people = async () => (await db().query<{ email: string }>("select email from users order by email")).rows;

beforeAll(async () => {
  provider = await startIdentityProvider();
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
  await startAuth();
});
beforeEach(async () => {
  env().ALLOW_SIGNUP = false;
  provider.person = { id: 1, name: "Ann Lee", email: "ann@example.com", isVerified: true };
  await db().query("truncate users, workspaces, sign_in_attempts cascade");
  owner = await signUp(signUpInput.parse({ name: "Owner", email: "owner@example.com", password: PASSWORD }));
});
afterAll(async () => {
  await provider.close();
  server.close();
});

test.each(["github", "google"] as const)(
  "%s: an invite to the account's address lets its owner sign up",
  async (service) => {
    const browser = new Browser();
    expect((await browser.continueWith(service)).search).toBe("?error=SignUpClosed");
    expect(await people()).toHaveLength(1);
    await invite("ann@example.com");
    expect((await browser.continueWith(service)).pathname).toBe("/runs");
    expect(await browser.session()).toMatchObject({ name: "Ann Lee", role: "editor", workspaceId: owner.workspaceId });
    // From now on the service's own id identifies the account, even if its address changes.
    provider.person = { ...provider.person, email: "new@example.com", isVerified: false };
    const again = new Browser();
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
      const browser = new Browser();
      expect((await browser.continueWith(service)).search).toBe("?error=UnverifiedEmail");
      expect(await browser.session()).toBeNull();
    }
  }
  expect(await people()).toHaveLength(1);
});

test("an account with a password is connected only after its password is entered", async () => {
  provider.person.email = "Owner@example.com";
  const browser = new Browser();
  const asked = await browser.continueWith("github");
  expect(asked.pathname).toBe("/sign-in");
  expect(await browser.session()).toBeNull();
  const link = asked.searchParams.get("link") ?? "";
  await browser.signIn({ email: "owner@example.com", password: "wrong password", link });
  expect(await browser.session()).toBeNull();
  await browser.signIn({ email: "owner@example.com", password: PASSWORD, link });
  expect((await browser.session())?.userId).toBe(owner.userId);
  const second = new Browser();
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
  const bobs = (await new Browser().continueWith("github")).searchParams.get("link") ?? "";
  await browser.signIn({ email: "owner@example.com", password: PASSWORD, link: bobs });
  expect((await getSignInMethods(owner.userId)).identities.map(({ subject }) => subject)).toEqual([
    `${provider.url}|1`,
  ]);
});

test("if sign-up is open, a new user gets a workspace, and no password until they choose one", async () => {
  env().ALLOW_SIGNUP = true;
  const waiting = await invite("ann@example.com");
  const browser = new Browser();
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
  const only = { userId, actor, provider: "google" as const, subject: `${provider.url}|g1` };
  await expect(removeIdentity(only)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await browser.signIn({ email: "ann@example.com", password: "" });
  // The address is verified, so the other service's account belongs to the same user.
  await new Browser().continueWith("github");
  await removeIdentity(only);
  expect((await getSignInMethods(userId)).identities.map((one) => one.provider)).toEqual(["github"]);
});

test("a code works only for the browser that requested it", async () => {
  await invite("ann@example.com");
  const browser = new Browser();
  const form = { csrfToken: await browser.csrfToken(), callbackUrl: "/runs" };
  const away = await browser.visit(`${url}/api/auth/signin/github`, form);
  const back = await fetch(away.headers.get("location") ?? "", { redirect: "manual" });
  const eve = new Browser();
  const end = await eve.visit(back.headers.get("location") ?? "");
  expect(end.headers.get("location")).toContain("error=OAuthCallback");
  expect(await eve.session()).toBeNull();
});

test("an account of another server with the same id is a different user", async () => {
  await invite("ann@example.com");
  await new Browser().continueWith("github");
  await db().query("update user_identities set subject = split_part(subject, '|', 2)");
  provider.person = { id: 1, name: "Eve", email: "eve@example.com", isVerified: true };
  expect((await new Browser().continueWith("github")).search).toBe("?error=SignUpClosed");
});

test("a server error is shown only with the page's own message", async () => {
  await db().query("alter table user_identities rename to user_identities_gone");
  try {
    expect((await new Browser().continueWith("github")).search).toBe("?error=SignInFailed");
  } finally {
    await db().query("alter table user_identities_gone rename to user_identities");
  }
});

test("a session is listed with the place it started from, and ends separately from others", async () => {
  const [here, there] = [new Browser(), new Browser()];
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
  const copy = new Browser();
  for (const [name, value] of here.cookies) copy.cookies.set(name, value);
  await here.visit(`${url}/api/auth/signout`, { csrfToken: await here.csrfToken() });
  expect(await copy.session()).toBeNull();
});
