import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { integer, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const selectRecent = defineStatement({
  name: "find_recent_sign_in",
  params: { userId: uuid, sessionId: nullable(uuid), minutes: integer },
  row: { id: uuid },
  sql: `select id from user_sessions
        where user_id = $1 and id = $2 and verified_at > now() - make_interval(mins => $3)`,
  isPrepared: false,
});

export async function isRecentSignIn(tx: Db, userId: string, sessionId: string | null): Promise<boolean> {
  return (await selectRecent.first(tx, { userId, sessionId, minutes: LIMITS.recentSignInMinutes })) !== null;
}

/**
 * Checks that a person proved who they are a short time ago: a stolen session must not become permanent access.
 * @throws ApiError FORBIDDEN with the reason confirmation_needed
 */
export async function requireRecentSignIn(tx: Db, userId: string, sessionId: string | null): Promise<void> {
  if (await isRecentSignIn(tx, userId, sessionId)) return;
  throw new ApiError("confirmation_needed", "Confirm that it's you, then try again.");
}
