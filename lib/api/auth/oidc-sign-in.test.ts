import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { Browser } from "#lib/api/auth/auth-browser.fixture";
import { PASSWORD, useOidcStage } from "#lib/api/auth/oidc-stage.fixture";
import { getSignInMethods } from "#lib/domain/accounts/get-sign-in-methods";
import { listSessions } from "#lib/domain/accounts/list-sessions";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const clientKey = { ...privateKey.export({ format: "jwk" }), kid: "c1", alg: "RS256" };

const stage = useOidcStage(
  ["company", "public", "signed", "other"],
  [
    { id: "without-secret" },
    { id: "with-key", publicKey: { ...publicKey.export({ format: "jwk" }), kty: "RSA", kid: "c1" } },
  ],
);

test("a person signs in with their provider, and is known by issuer and subject from then on", async () => {
  expect((await stage.browser.signInAt("company")).pathname).toBe("/runs");
  expect(await stage.browser.session()).toMatchObject({
    name: "Ann Lee",
    role: "editor",
    workspaceId: stage.owner.workspaceId,
  });
  const { userId = "" } = (await stage.browser.session()) ?? {};
  expect((await listSessions(userId, null))[0]).toMatchObject({ method: "oidc", label: "Company" });
  expect((await getSignInMethods(userId)).identities).toMatchObject([
    { provider: "oidc", service: "company", label: "Company", subject: `${stage.provider.url}|1` },
  ]);
  stage.provider.person = { sub: "1", name: "Ann", email: "new@example.com", email_verified: false };
  stage.setProvider({ name: "other" });
  const again = new Browser(stage.auth.url);
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
  stage.setProvider({ name, ...changes });
  expect((await stage.browser.signInAt(name)).pathname).toBe("/runs");
});

test("claims with other names, and claims of the userinfo endpoint, are read", async () => {
  stage.setProvider({ claims: { email_verified: "xms_edov" }, reads_userinfo: true });
  expect(await stage.refusalOf()).toBe("UnverifiedEmail");
  stage.setProvider({ claims: { email: "email", name: "name" }, reads_userinfo: true });
  expect(await stage.refusalOf()).toBeNull();
});

test("an account with a password is connected only after its password is entered", async () => {
  stage.provider.person.email = "owner@example.com";
  const asked = await stage.browser.signInAt("company");
  expect(asked.pathname).toBe("/sign-in");
  expect(await stage.browser.session()).toBeNull();
  const link = asked.searchParams.get("link") ?? "";
  expect(await stage.browser.signIn({ email: "owner@example.com", password: PASSWORD, link })).toBeNull();
  const second = new Browser(stage.auth.url);
  expect((await second.signInAt("company")).pathname).toBe("/runs");
  expect((await second.session())?.userId).toBe(stage.owner.userId);
});

test("an account without a workspace is connected by its password, and gets one from its groups", async () => {
  const email = "owner@example.com";
  stage.provider.person = { ...stage.provider.person, email, groups: ["support"] };
  await db().query("delete from workspace_members");
  await db().query(
    `insert into workspace_sso (workspace_id, provider, group_roles) values ($1, 'company', '[{"group": "support", "role": "viewer"}]')`,
    [stage.owner.workspaceId],
  );
  const signIn = (link: string, password = PASSWORD) => stage.browser.signIn({ email, password, link });
  const link = (await stage.browser.signInAt("company")).searchParams.get("link") ?? "";
  expect(await signIn(link, "wrong password")).toBe("CredentialsSignin");
  expect(await signIn("another token")).toBe("NoWorkspace");
  expect(await signIn(link)).toBe("AccountConnected:company");
  expect(await stage.browser.session()).toBeNull();
  expect((await stage.browser.signInAt("company")).pathname).toBe("/runs");
  expect(await stage.browser.session()).toMatchObject({ userId: stage.owner.userId, role: "viewer" });
});
