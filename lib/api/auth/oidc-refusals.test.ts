import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { Browser } from "#lib/api/auth/auth-browser.fixture";
import { CLIENT_SECRET, changeAnswer, replaceIdToken, useOidcStage } from "#lib/api/auth/oidc-stage.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const stage = useOidcStage();

test("an unverified address", async () => {
  stage.provider.person.email_verified = false;
  expect(await stage.refusalOf()).toBe("UnverifiedEmail");
});

test("an address of a domain that is not the provider's, for an account without a password and for an invite", async () => {
  stage.setProvider({ email_domains: ["example.org"], workspaces: ["acme"] });
  expect(await stage.refusalOf()).toBe("ForeignAddress");
  stage.provider.person.email = "owner@example.com";
  await db().query("update users set password_hash = null");
  expect(await stage.refusalOf()).toBe("ForeignAddress");
  stage.setProvider({ email_domains: ["example.org", "example.com"], workspaces: ["acme"] });
  stage.provider.person.email = "Owner@Example.COM";
  expect(await stage.refusalOf()).toBeNull();
  expect((await stage.browser.session())?.userId).toBe(stage.owner.userId);
});

test("a missing address, by the name of its claim", async () => {
  delete stage.provider.person.email;
  expect(await stage.refusalOf()).toBe("ClaimMissing:email");
});

test("a person without an invite and without a group", async () => {
  stage.provider.person = { sub: "2", name: "Eve", email: "eve@example.com", email_verified: true };
  expect(await stage.refusalOf()).toBe("SignUpClosed");
});

test("a discovery document of another issuer", async () => {
  changeAnswer(stage.provider, "/.well-known/openid-configuration", (body) => ({
    ...body,
    issuer: "https://evil.example.com",
  }));
  expect(await stage.refusalOf()).toBe("WrongIssuer");
});

test("an answer that names another issuer, or none although the provider always does", async () => {
  const back = await stage.browser.leaveFor("company");
  const other = new URL(back);
  other.searchParams.set("iss", "https://evil.example.com");
  expect((await stage.browser.comeBack(other)).searchParams.get("error")).toBe("WrongIssuer");
  const without = new URL(await stage.browser.leaveFor("company"));
  without.searchParams.delete("iss");
  expect((await stage.browser.comeBack(without)).searchParams.get("error")).toBe("WrongIssuer");
});

test("an answer with the state of another sign-in, and one that is sent again", async () => {
  const first = new URL(await stage.browser.leaveFor("company"));
  const second = new URL(await stage.browser.leaveFor("company"));
  expect((await stage.browser.comeBack(first)).searchParams.get("error")).toBe("SignInExpired");
  const again = new URL(await stage.browser.leaveFor("company"));
  expect((await stage.browser.comeBack(again)).pathname).toBe("/runs");
  expect((await stage.browser.comeBack(again)).searchParams.get("error")).toBe("OAuthCallback");
  expect((await new Browser(stage.auth.url).comeBack(second)).searchParams.get("error")).toBe("OAuthCallback");
});

test("a client whose secret is wrong", async () => {
  stage.setProvider({ client_secret: "another secret of the application" });
  expect(await stage.refusalOf()).toBe("ProviderRefusedClient");
});

test("a provider whose token endpoint does not answer", async () => {
  stage.provider.intercept = (request) => {
    if (!request.url?.startsWith("/token")) return false;
    request.socket.destroy();
    return true;
  };
  expect(await stage.refusalOf()).toBe("ProviderUnreachable");
});

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

type Sign = (claims: object) => string;
/** Signs with a key that is not the provider's, under the name of its key. */
const forge: Sign = (claims) => {
  const signed = `${part({ alg: "RS256", kid: "k1" })}.${part(claims)}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(privateKey, "base64url")}`;
};
const unsigned: Sign = (claims) => `${part({ alg: "none" })}.${part(claims)}.`;
const withSecret: Sign = (claims) => {
  const signed = `${part({ alg: "HS256" })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", CLIENT_SECRET).update(signed).digest("base64url")}`;
};

test.each<[string, object, string, Sign?]>([
  ["for another client", { aud: "another" }, "WrongAudience"],
  ["for several clients that was requested by another one", { aud: ["with-secret", "b"], azp: "b" }, "InvalidIdToken"],
  ["for several clients that does not name who requested it", { aud: ["with-secret", "b"] }, "InvalidIdToken"],
  ["that has expired", { exp: 1_000_000_000, iat: 999_999_000 }, "IdTokenExpired"],
  ["of another issuer", { iss: "https://evil.example.com" }, "WrongIssuer"],
  ["for another sign-in", { nonce: "another" }, "WrongNonce"],
  ["without a nonce", { nonce: undefined }, "WrongNonce"],
  ["without a subject", { sub: undefined }, "InvalidIdToken"],
  ["with a number as the subject", { sub: 1 }, "ClaimMissing:sub"],
  ["with an empty subject", { sub: "" }, "ClaimMissing:sub"],
  ["with a blank subject", { sub: " " }, "ClaimMissing:sub"],
  ["with a subject that is too long", { sub: "s".repeat(256) }, "ClaimMissing:sub"],
  ["that another key signed", {}, "InvalidIdToken", forge],
  ["that is not signed", {}, "InvalidIdToken", unsigned],
  ["that is signed with the secret of the client", {}, "InvalidIdToken", withSecret],
])("an ID token %s is refused", async (_what, changes, code, sign = stage.provider.sign) => {
  replaceIdToken(stage.provider, (claims) => sign({ ...claims, ...changes }));
  expect(await stage.refusalOf()).toBe(code);
  expect(await stage.browser.session()).toBeNull();
  expect((await db().query("select subject from user_identities")).rows).toEqual([]);
});

test("an answer without an ID token is refused", async () => {
  replaceIdToken(stage.provider, () => undefined);
  expect(await stage.refusalOf()).toBe("InvalidIdToken");
});

test("claims of another person at the userinfo endpoint are refused", async () => {
  stage.setProvider({ reads_userinfo: true });
  changeAnswer(stage.provider, "/me", (claims) => ({ ...claims, sub: "2" }));
  expect(await stage.refusalOf()).toBe("InvalidIdToken");
});
