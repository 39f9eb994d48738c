import type { SessionRow } from "#lib/contract/web/account";
import { db } from "#lib/platform/db/pool";

const SHOWN_MAX = 50;
/** As long as a session's cookie lasts. */
export const SESSION_DAYS = 7;

interface StoredSession {
  id: string;
  method: SessionRow["method"];
  user_agent: string;
  address: string;
  created_at: Date;
  last_seen_at: Date;
}

/** Where a person is signed in, the one that asks first, then by last use. @param currentId the session that asks */
export async function listSessions(userId: string, currentId: string | null): Promise<SessionRow[]> {
  const { rows } = await db().query<StoredSession>({
    text: `select id, method, user_agent, address, created_at, last_seen_at from user_sessions
           where user_id = $1 and last_seen_at > now() - make_interval(days => $2)
           order by (id = $3) desc nulls last, last_seen_at desc limit $4`,
    values: [userId, SESSION_DAYS, currentId, SHOWN_MAX],
  });
  return rows.map((row) => ({
    session_id: row.id,
    is_current: row.id === currentId,
    method: row.method,
    user_agent: row.user_agent,
    address: row.address,
    signed_in_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }));
}

/** Those whose cookies have run out. */
export async function deleteOldSessions(): Promise<void> {
  await db().query({
    text: "delete from user_sessions where last_seen_at < now() - make_interval(days => $1)",
    values: [SESSION_DAYS + 1],
  });
}
