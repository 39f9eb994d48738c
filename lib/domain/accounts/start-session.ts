import { SESSION_METHODS, type SessionMethod } from "#lib/contract/web/account";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";
import { uuidv7 } from "#lib/support/ids";

/** Where a request comes from, as far as it says. */
export interface SignInClient {
  address: string;
  userAgent: string;
}

interface NewSession {
  userId: string;
  name: string;
  method: SessionMethod;
  client: SignInClient;
}

const USER_AGENT_MAX = 300;

const insertSession = defineStatement({
  name: "start_session",
  params: { id: uuid, userId: uuid, method: enumOf(SESSION_METHODS), userAgent: text, address: text },
  sql: "insert into user_sessions (id, user_id, method, user_agent, address) values ($1, $2, $3, $4, $5)",
  isPrepared: false,
});

/** Notes that a user signed in, and where. @returns the session's id, which the cookie names */
export async function startSession({ userId, name, method, client }: NewSession): Promise<string> {
  const sessionId = uuidv7();
  await transaction(async (tx) => {
    const { address, userAgent } = client;
    const row = { id: sessionId, userId, method, userAgent: userAgent.slice(0, USER_AGENT_MAX), address };
    await insertSession.run(tx, row);
    // Of the person, in no workspace: which one they act in is chosen with every request.
    const actor = { type: "user" as const, id: userId, name };
    const entry = { workspaceId: null, action: "user.signed_in", objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, actor, details: { method } });
  });
  return sessionId;
}
