import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const updateLastSeen = defineStatement({
  name: "note_session",
  params: { sessionId: uuid },
  sql: "update user_sessions set last_seen_at = now() where id = $1",
});

/** Notes that a session is in use. */
export async function noteSession(sessionId: string): Promise<void> {
  await updateLastSeen.run(db(), { sessionId });
}
