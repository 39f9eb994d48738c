import type { SessionClaims } from "#lib/domain/workspaces/find-member";
import { db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

/**
 * For tests: signs a person in.
 * @returns the session that the person's cookie would name
 */
export async function addSession(userId: string, epoch = 0): Promise<SessionClaims> {
  const sessionId = uuidv7();
  await db().query(
    "insert into user_sessions (id, user_id, method, user_agent, address) values ($1, $2, 'password', 'a browser', '1.1.1.1')",
    [sessionId, userId],
  );
  return { userId, epoch, sessionId };
}
