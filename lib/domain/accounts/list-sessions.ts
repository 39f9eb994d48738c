import { SECOND_FACTORS, SESSION_METHODS, type SessionRow } from "#lib/contract/account/account";
import { LIMITS } from "#lib/contract/limits";
import { findOidcProvider } from "#lib/domain/accounts/list-sign-in-services";
import { bigint, enumOf, integer, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const selectSessions = defineStatement({
  name: "list_sessions",
  params: { userId: uuid, days: integer, currentId: nullable(uuid), limit: bigint },
  row: {
    id: uuid,
    method: enumOf(SESSION_METHODS),
    provider: nullable(text),
    second_factor: nullable(enumOf(SECOND_FACTORS)),
    user_agent: text,
    address: text,
    created_at: timestamptz,
    last_seen_at: timestamptz,
  },
  sql: `select id, method, provider, second_factor, user_agent, address, created_at, last_seen_at from user_sessions
        where user_id = $1 and created_at > now() - make_interval(days => $2)
        order by (id = $3) desc nulls last, last_seen_at desc limit $4`,
  isPrepared: false,
});

/**
 * Lists the sessions of a person, the current one first, then by last use.
 * @param currentId the session that sends the request
 */
export async function listSessions(userId: string, currentId: string | null): Promise<SessionRow[]> {
  const { sessionDays: days, sessionsPerUser: limit } = LIMITS;
  const rows = await selectSessions.all(db(), { userId, days, currentId, limit });
  return rows.map((row) => ({
    session_id: row.id,
    is_current: row.id === currentId,
    method: row.method,
    label: row.provider === null ? null : (findOidcProvider(row.provider)?.label ?? row.provider),
    second_factor: row.second_factor,
    user_agent: row.user_agent,
    address: row.address,
    signed_in_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }));
}

const deleteSessions = defineStatement({
  name: "delete_old_sessions",
  params: { days: integer },
  // Not by the time of the sign-in: only the last use has an index, and it ends with the session.
  sql: "delete from user_sessions where last_seen_at < now() - make_interval(days => $1)",
  isPrepared: false,
});

/** Deletes the sessions that have ended. */
export async function deleteOldSessions(): Promise<void> {
  await deleteSessions.run(db(), { days: LIMITS.sessionDays + 1 });
}
