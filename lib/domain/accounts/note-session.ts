import { db } from "#lib/platform/db/pool";

/** Notes that a session is in use. */
export async function noteSession(sessionId: string): Promise<void> {
  await db().query({
    name: "note_session",
    text: "update user_sessions set last_seen_at = now() where id = $1",
    values: [sessionId],
  });
}
