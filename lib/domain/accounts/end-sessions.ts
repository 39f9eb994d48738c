import { ApiError } from "#lib/contract/api-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

interface EndSessionsRequest {
  userId: string;
  actor: Actor;
  /** The session that asks. */
  currentId: string | null;
  /** One of the person's; left out: all but the one that asks. */
  sessionId?: string;
}

const deleteSessions = defineStatement({
  name: "end_sessions",
  params: { userId: uuid, sessionId: nullable(uuid), currentId: nullable(uuid) },
  sql: `delete from user_sessions where user_id = $1
          and case when $2::uuid is null then id is distinct from $3::uuid else id = $2 end`,
  isPrepared: false,
});

/** Ends sessions of a person with their next request. @throws ApiError NOT_FOUND for one that is over, or another's */
export async function endSessions(request: EndSessionsRequest): Promise<number> {
  const { userId, actor, currentId, sessionId } = request;
  return transaction(async (tx) => {
    const count = await deleteSessions.run(tx, { userId, sessionId: sessionId ?? null, currentId });
    if (count === 0 && sessionId !== undefined) throw new ApiError("NOT_FOUND", "This session is over already.");
    if (count === 0) return 0;
    const entry = { action: "user.sessions_ended", objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, workspaceId: null, actor, details: { count } });
    return count;
  });
}

const raiseEpoch = defineStatement({
  name: "raise_session_epoch",
  params: { userId: uuid },
  sql: "update users set session_epoch = session_epoch + 1 where id = $1",
  isPrepared: false,
});

const deleteEverySession = defineStatement({
  name: "end_every_session",
  params: { userId: uuid },
  sql: "delete from user_sessions where user_id = $1",
  isPrepared: false,
});

/** Every session of a person, in the transaction of what ends them; by the epoch also one that begins meanwhile. */
export async function endEverySession(tx: Db, userId: string): Promise<void> {
  await raiseEpoch.run(tx, { userId });
  await deleteEverySession.run(tx, { userId });
}
