import { beforeEach, expect, test } from "vitest";
import { hasProviderEnded, readSignInClock, requireProviderOrigin } from "#lib/domain/accounts/provider-logouts";
import type { ProviderOrigin } from "#lib/domain/accounts/provider-session";
import { endProviderSessions } from "#lib/domain/accounts/single-sign-on/end-provider-sessions";
import { startSession } from "#lib/domain/accounts/start-session";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { type OidcProvider, oidcProvidersSchema } from "#lib/platform/config/oidc-provider-setting";
import { db } from "#lib/platform/db/pool";
import { prismaTransaction } from "#lib/platform/db/prisma";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";
import { uuidv7 } from "#lib/support/ids";

useTestDatabase();

const ISSUER = "https://id.example.com";
let provider: OidcProvider;
let userId: string;

beforeEach(async () => {
  const setting = { name: "company", label: "Company", issuer: ISSUER, client_id: "signalbox" };
  env().OIDC_PROVIDERS = oidcProvidersSchema.parse([setting]);
  provider = env().OIDC_PROVIDERS[0] as OidcProvider;
  ({ userId } = await addWorkspace());
  await db().query("truncate used_sign_in_tokens, user_sessions");
});

async function originWith(changes: Partial<ProviderOrigin> = {}): Promise<ProviderOrigin> {
  const startedAt = await readSignInClock();
  return { provider: "company", subject: `${ISSUER}|1`, sid: "s1", idToken: null, startedAt, ...changes };
}

const logOut = (named: { sid?: string; sub?: string }) =>
  endProviderSessions(provider, {
    jti: uuidv7(),
    sid: null,
    sub: null,
    expiresAt: new Date(Date.now() + 600_000),
    ...named,
  });

test.each([
  ["its session", { sid: "s1" }, "s1", true],
  ["its session and the person", { sid: "s1", sub: "1" }, "s1", true],
  ["the person", { sub: "1" }, "s1", true],
  ["another session", { sid: "s2" }, "s1", false],
  ["another session of the person", { sid: "s2", sub: "1" }, "s1", false],
  ["another person", { sub: "2" }, "s1", false],
  ["any session of the person, if the provider did not name its session", { sid: "s2", sub: "1" }, null, true],
  ["another session, if the provider did not name its session", { sid: "s2" }, null, false],
])("a logout of %s ends an unfinished sign-in, or not", async (_what, named, sid, isOver) => {
  const origin = await originWith({ sid });
  expect(await hasProviderEnded(db(), origin)).toBe(false);
  await logOut(named);
  expect(await hasProviderEnded(db(), origin)).toBe(isOver);
});

test("a person who was signed out can sign in again, but not in the session that ended", async () => {
  await logOut({ sub: "1" });
  // A sign-in of the same millisecond would count as one before it.
  await db().query("update used_sign_in_tokens set used_at = used_at - interval '1 second'");
  const later = await originWith({ sid: "s2" });
  expect(await hasProviderEnded(db(), later)).toBe(false);
  await logOut({ sub: "1" });
  expect(await hasProviderEnded(db(), later)).toBe(true);
  await logOut({ sid: "s3" });
  expect(await hasProviderEnded(db(), await originWith({ sid: "s3" }))).toBe(true);
});

test("a sign-in of a provider that is no longer set up is over", async () => {
  const origin = await originWith();
  env().OIDC_PROVIDERS = [];
  expect(await hasProviderEnded(db(), origin)).toBe(true);
});

test.each([
  ["the session", { sid: "s1" }],
  ["the person", { sub: "1" }],
])("a logout of %s waits for a session that is starting, and ends it", async (_what, named) => {
  const origin = await originWith();
  let ending: Promise<number | null> | null = null;
  await prismaTransaction(async (tx) => {
    await requireProviderOrigin(tx, origin);
    ending = logOut(named);
    await eventually(async () => {
      const { rows } = await db().query(
        `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`,
      );
      expect(rows).toHaveLength(1);
    });
    const data = { userId, method: "oidc", userAgent: "", address: "", provider: "company" };
    const from = { providerSid: origin.sid, providerSubject: origin.subject };
    await tx.prisma.userSession.create({ data: { id: uuidv7(), ...data, ...from } });
  });
  expect(await ending).toBe(1);
});

test("a session does not start after its logout", async () => {
  const origin = await originWith();
  await logOut({ sub: "1" });
  const client = { address: "1.1.1.1", userAgent: "a browser" };
  const session = { userId, name: "Ann", method: "oidc" as const, secondFactor: null, origin, client };
  await expect(startSession(session)).rejects.toThrow("The provider ended this sign-in.");
  expect((await db().query("select id from user_sessions")).rows).toEqual([]);
});
