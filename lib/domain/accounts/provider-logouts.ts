import { createHash } from "node:crypto";
import { ApiError } from "#lib/contract/error/api-error";
import { findOidcProvider } from "#lib/domain/accounts/list-sign-in-services";
import type { ProviderOrigin } from "#lib/domain/accounts/provider-session";
import type { OidcProvider } from "#lib/platform/config/oidc-provider-setting";
import { array, nullable, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

/** `unnamed` is a session of the person that the provider gave no id. */
type LogoutNameKind = "jti" | "sid" | "subject" | "unnamed";

const selectClock = defineStatement({
  name: "read_sign_in_clock",
  row: { now: timestamptz },
  sql: "select clock_timestamp() as now",
  isPrepared: false,
});

const lockLogout = defineStatement({
  name: "lock_provider_logout",
  params: { id: uuid },
  sql: "select pg_advisory_xact_lock(hashtextextended('provider_logout|' || $1::uuid, 0))",
  isPrepared: false,
});

const upsertLogouts = defineStatement({
  name: "note_provider_logout",
  params: { ids: array(uuid), expiresAt: timestamptz },
  // A person can be signed out several times in the time that a row is kept.
  sql: `insert into used_sign_in_tokens as u (id, expires_at, used_at)
        select id, $2, clock_timestamp() from unnest($1::uuid[]) id
        on conflict (id) do update set used_at = excluded.used_at, expires_at = greatest(u.expires_at, excluded.expires_at)`,
  isPrepared: false,
});

const selectLogout = defineStatement({
  name: "find_provider_logout",
  params: { sessionId: nullable(uuid), personIds: array(uuid), startedAt: timestamptz },
  row: { id: uuid },
  // A session of the provider ends for good. A person can sign in again.
  sql: "select id from used_sign_in_tokens where id = $1 or (id = any ($2) and used_at >= $3) limit 1",
  isPrepared: false,
});

/**
 * Returns the time at which a sign-in starts. A logout compares its own time with it, so both are read from the clock
 * of the database: those of two web servers differ.
 */
export async function readSignInClock(): Promise<number> {
  return (await selectClock.one(db())).now.getTime();
}

interface EndedAtProvider {
  /** Null if every session of the person ends. */
  sid: string | null;
  /** Null if only the session is named. */
  subject: string | null;
  expiresAt: Date;
}

/** Records what a provider ends, for the sign-ins that are not finished. */
export async function noteLogout(tx: Db, provider: OidcProvider, ended: EndedAtProvider): Promise<void> {
  const { sid, subject, expiresAt } = ended;
  const ids = [
    ...(sid === null ? [] : [logoutIdOf(provider, "sid", sid)]),
    ...(subject === null ? [] : [logoutIdOf(provider, sid === null ? "subject" : "unnamed", subject)]),
  ];
  await lockLogouts(tx, ids);
  await upsertLogouts.run(tx, { ids, expiresAt });
}

/** Whether the provider has ended a sign-in that is not finished. One of a provider that is gone is over, too. */
export async function hasProviderEnded(tx: Db, origin: ProviderOrigin): Promise<boolean> {
  const provider = findOidcProvider(origin.provider);
  if (provider === null) return true;
  const { sessionId, personIds } = idsOf(provider, origin);
  return (await selectLogout.first(tx, { sessionId, personIds, startedAt: new Date(origin.startedAt) })) !== null;
}

/**
 * Checks the same in the transaction that starts the session. No logout for it is carried out until that ends.
 * @throws ApiError UNAUTHORIZED
 */
export async function requireProviderOrigin(tx: Db, origin: ProviderOrigin): Promise<void> {
  const provider = findOidcProvider(origin.provider);
  if (provider !== null) {
    const { sessionId, personIds } = idsOf(provider, origin);
    await lockLogouts(tx, sessionId === null ? personIds : [sessionId, ...personIds]);
  }
  if (await hasProviderEnded(tx, origin)) {
    throw new ApiError("not_signed_in", "The provider ended this sign-in. Sign in again.");
  }
}

/** Returns the ids of the logouts that end a sign-in. */
function idsOf(provider: OidcProvider, { sid, subject }: ProviderOrigin) {
  const kinds: LogoutNameKind[] = sid === null ? ["subject", "unnamed"] : ["subject"];
  const sessionId = sid === null ? null : logoutIdOf(provider, "sid", sid);
  return { sessionId, personIds: kinds.map((kind) => logoutIdOf(provider, kind, subject)) };
}

/** In one order, so that no two transactions wait for each other. */
async function lockLogouts(tx: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids.toSorted()) await lockLogout.run(tx, { id });
}

/** Returns an id for a name that is unique only at its provider. */
export function logoutIdOf({ issuer }: OidcProvider, kind: LogoutNameKind, name: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([issuer, kind, name]))
    .digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20, 32)}`;
}
