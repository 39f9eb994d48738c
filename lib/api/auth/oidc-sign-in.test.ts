import { createSign, generateKeyPairSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AuthServer, Browser, startAuth } from "#lib/api/auth/auth-browser.fixture";
import { signUpInput } from "#lib/contract/inputs/person-inputs";
import { getSignInMethods } from "#lib/domain/accounts/get-sign-in-methods";
import { listSessions } from "#lib/domain/accounts/list-sessions";
import { signUp } from "#lib/domain/accounts/sign-up";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { env } from "#lib/platform/config/env";
import { oidcProvidersSchema } from "#lib/platform/config/oidc-provider-setting";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { type OpenidTestProvider, startOpenidProvider } from "#scripts/openid-provider.fixture";

useTestDatabase();

const PASSWORD = "right password";
const SECRET = "a secret of the application, long enough";
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const clientKey = { ...privateKey.export({ format: "jwk" }), kid: "c1", alg: "RS256" };
const NAMES = ["company", "public", "signed", "other"];

let provider: OpenidTestProvider;
let auth: AuthServer;
let owner: { userId: string; workspaceId: string };
let browser: Browser;

beforeAll(async () => {
  auth = await startAuth();
  provider = await startOpenidProvider(auth.url, NAMES, [
    { id: "with-secret", secret: SECRET },
    { id: "without-secret" },
    { id: "with-key", publicKey: { ...publicKey.export({ format: "jwk" }), kty: "RSA", kid: "c1" } },
  ]);
});
afterAll(() => {
  provider.close();
  auth.close();
});
beforeEach(async () => {
  env().ALLOW_SIGNUP = false;
  provider.intercept = null;
  provider.person = { sub: "1", name: "Ann Lee", email: "ann@example.com", email_verified: true };
  setProvider();
  await db().query("truncate users, workspaces, sign_in_attempts cascade");
  owner = await signUp(signUpInput.parse({ name: "Owner", email: "owner@example.com", password: PASSWORD }));
  await invite("ann@example.com");
  browser = new Browser(auth.url);
});

function setProvider(changes: object = {}): void {
  const setting = {
    name: "company",
    label: "Company",
    issuer: provider.url,
    client_id: "with-secret",
    client_secret: SECRET,
    ...changes,
  };
  env().OIDC_PROVIDERS = oidcProvidersSchema.parse([setting]);
}

const invite = (email: string) => {
  const actor = { type: "user" as const, id: owner.userId, name: "Owner" };
  return createInvite({ workspaceId: owner.workspaceId, actor, actorUserId: owner.userId, email, role: "editor" });
};

/** Continues with the provider; returns the error that the sign-in page shows, or null. */
async function refusalOf(service = "company"): Promise<string | null> {
  return (await browser.signInAt(service)).searchParams.get("error");
}

test("a person signs in with their provider, and is known by issuer and subject from then on", async () => {
  expect((await browser.signInAt("company")).pathname).toBe("/runs");
  expect(await browser.session()).toMatchObject({ name: "Ann Lee", role: "editor", workspaceId: owner.workspaceId });
  const { userId = "" } = (await browser.session()) ?? {};
  expect((await listSessions(userId, null))[0]).toMatchObject({ method: "oidc", label: "Company" });
  expect((await getSignInMethods(userId)).identities).toMatchObject([
    { provider: "oidc", service: "company", label: "Company", subject: `${provider.url}|1` },
  ]);
  provider.person = { sub: "1", name: "Ann", email: "new@example.com", email_verified: false };
  setProvider({ name: "other" });
  const again = new Browser(auth.url);
  expect((await again.signInAt("other")).pathname).toBe("/runs");
  expect((await again.session())?.userId).toBe(userId);
});

test.each([
  ["a public client with PKCE alone", "public", { client_id: "without-secret", client_secret: undefined }],
  [
    "a client that signs with its key",
    "signed",
    { client_id: "with-key", client_secret: undefined, client_key: clientKey },
  ],
])("%s signs people in", async (_what, name, changes) => {
  setProvider({ name, ...changes });
  expect((await browser.signInAt(name)).pathname).toBe("/runs");
});

test("claims with other names, and claims of the userinfo endpoint, are read", async () => {
  setProvider({ claims: { email_verified: "xms_edov" }, reads_userinfo: true });
  expect(await refusalOf()).toBe("UnverifiedEmail");
  setProvider({ claims: { email: "email", name: "name" }, reads_userinfo: true });
  expect(await refusalOf()).toBeNull();
});

test("an account with a password is connected only after its password is entered", async () => {
  provider.person.email = "owner@example.com";
  const asked = await browser.signInAt("company");
  expect(asked.pathname).toBe("/sign-in");
  expect(await browser.session()).toBeNull();
  const link = asked.searchParams.get("link") ?? "";
  expect(await browser.signIn({ email: "owner@example.com", password: PASSWORD, link })).toBeNull();
  const second = new Browser(auth.url);
  expect((await second.signInAt("company")).pathname).toBe("/runs");
  expect((await second.session())?.userId).toBe(owner.userId);
});

test("an account without a workspace is connected by its password, and gets one from its groups", async () => {
  const email = "owner@example.com";
  provider.person = { ...provider.person, email, groups: ["support"] };
  await db().query("delete from workspace_members");
  await db().query(
    `insert into workspace_sso (workspace_id, provider, group_roles) values ($1, 'company', '[{"group": "support", "role": "viewer"}]')`,
    [owner.workspaceId],
  );
  const signIn = (link: string, password = PASSWORD) => browser.signIn({ email, password, link });
  const link = (await browser.signInAt("company")).searchParams.get("link") ?? "";
  expect(await signIn(link, "wrong password")).toBe("CredentialsSignin");
  expect(await signIn("another token")).toBe("NoWorkspace");
  expect(await signIn(link)).toBe("AccountConnected:company");
  expect(await browser.session()).toBeNull();
  expect((await browser.signInAt("company")).pathname).toBe("/runs");
  expect(await browser.session()).toMatchObject({ userId: owner.userId, role: "viewer" });
});

describe("refused", () => {
  test("an unverified address", async () => {
    provider.person.email_verified = false;
    expect(await refusalOf()).toBe("UnverifiedEmail");
  });

  test("an address of a domain that is not the provider's, for an account without a password and for an invite", async () => {
    setProvider({ email_domains: ["example.org"], workspaces: ["acme"] });
    expect(await refusalOf()).toBe("ForeignAddress");
    provider.person.email = "owner@example.com";
    await db().query("update users set password_hash = null");
    expect(await refusalOf()).toBe("ForeignAddress");
    setProvider({ email_domains: ["example.org", "example.com"], workspaces: ["acme"] });
    provider.person.email = "Owner@Example.COM";
    expect(await refusalOf()).toBeNull();
    expect((await browser.session())?.userId).toBe(owner.userId);
  });

  test("a missing address, by the name of its claim", async () => {
    delete provider.person.email;
    expect(await refusalOf()).toBe("ClaimMissing:email");
  });

  test("a person without an invite and without a group", async () => {
    provider.person = { sub: "2", name: "Eve", email: "eve@example.com", email_verified: true };
    expect(await refusalOf()).toBe("SignUpClosed");
  });

  test("a discovery document of another issuer", async () => {
    intercept("/.well-known/openid-configuration", (body) => ({ ...body, issuer: "https://evil.example.com" }));
    expect(await refusalOf()).toBe("WrongIssuer");
  });

  test("an answer that names another issuer, or none although the provider always does", async () => {
    const back = await browser.leaveFor("company");
    const other = new URL(back);
    other.searchParams.set("iss", "https://evil.example.com");
    expect((await browser.comeBack(other)).searchParams.get("error")).toBe("WrongIssuer");
    const without = new URL(await browser.leaveFor("company"));
    without.searchParams.delete("iss");
    expect((await browser.comeBack(without)).searchParams.get("error")).toBe("WrongIssuer");
  });

  test("an answer with the state of another sign-in, and one that is sent again", async () => {
    const first = new URL(await browser.leaveFor("company"));
    const second = new URL(await browser.leaveFor("company"));
    expect((await browser.comeBack(first)).searchParams.get("error")).toBe("SignInExpired");
    const again = new URL(await browser.leaveFor("company"));
    expect((await browser.comeBack(again)).pathname).toBe("/runs");
    expect((await browser.comeBack(again)).searchParams.get("error")).toBe("OAuthCallback");
    expect((await new Browser(auth.url).comeBack(second)).searchParams.get("error")).toBe("OAuthCallback");
  });

  test("a client whose secret is wrong", async () => {
    setProvider({ client_secret: "another secret of the application" });
    expect(await refusalOf()).toBe("ProviderRefusedClient");
  });

  test("a provider whose token endpoint does not answer", async () => {
    provider.intercept = (request) => {
      if (!request.url?.startsWith("/token")) return false;
      request.socket.destroy();
      return true;
    };
    expect(await refusalOf()).toBe("ProviderUnreachable");
  });

  test.each([
    ["for another client", { aud: "another" }, "WrongAudience"],
    ["that has expired", { exp: 1_000_000_000, iat: 999_999_000 }, "IdTokenExpired"],
    ["of another issuer", { iss: "https://evil.example.com" }, "WrongIssuer"],
    ["for another sign-in", { nonce: "another" }, "WrongNonce"],
    ["that another key signed", {}, "InvalidIdToken"],
  ])("an ID token %s", async (_what, changes, code) => {
    const forged = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    // All but the last case: the token is valid but for the one claim.
    const isSigned = Object.keys(changes).length > 0;
    const jwk = { ...forged.publicKey.export({ format: "jwk" }), kid: "k1", alg: "RS256", use: "sig" };
    provider.intercept = (request, response) => {
      const path = request.url?.split("?")[0];
      if (path === "/jwks" && isSigned) {
        sendJson(response, { keys: [jwk] });
        return true;
      }
      if (path !== "/token") return false;
      void answerOf(request, "/token").then(({ id_token: idToken, ...rest }) => {
        const claims = JSON.parse(Buffer.from(String(idToken).split(".")[1] ?? "", "base64url").toString());
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
        const signed = `${part({ alg: "RS256", kid: "k1" })}.${part({ ...claims, ...changes })}`;
        const signature = createSign("RSA-SHA256").update(signed).sign(forged.privateKey, "base64url");
        sendJson(response, { ...rest, id_token: `${signed}.${signature}` });
      });
      return true;
    };
    expect(await refusalOf()).toBe(code);
    expect(await browser.session()).toBeNull();
  });
});

/** Changes a JSON answer of the provider. */
function intercept(path: string, change: (body: Record<string, unknown>) => object): void {
  provider.intercept = (request, response) => {
    if (request.url !== path) return false;
    void answerOf(request, path).then((body) => sendJson(response, change(body)));
    return true;
  };
}

/** Asks the provider itself for what a request asks. */
async function answerOf(request: IncomingMessage, path: string): Promise<Record<string, unknown>> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const held = provider.intercept;
  provider.intercept = null;
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
  const sent = body === "" ? {} : { method: "POST", body };
  const answer = await fetch(provider.url + path, { headers: headers as Record<string, string>, ...sent });
  provider.intercept = held;
  return (await answer.json()) as Record<string, unknown>;
}

function sendJson(response: ServerResponse, body: object): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}
