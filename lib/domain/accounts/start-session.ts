import type { SignInProvider } from "#lib/contract/web/account";
import { recordAudit } from "#lib/domain/audit/record-audit";
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
  method: "password" | SignInProvider;
  client: SignInClient;
}

const USER_AGENT_MAX = 300;

/** Notes that somebody signed in, and where. @returns the session's id, which the cookie names */
export async function startSession({ userId, name, method, client }: NewSession): Promise<string> {
  const sessionId = uuidv7();
  await transaction(async (tx) => {
    await tx.query({
      text: "insert into user_sessions (id, user_id, method, user_agent, address) values ($1, $2, $3, $4, $5)",
      values: [sessionId, userId, method, client.userAgent.slice(0, USER_AGENT_MAX), client.address],
    });
    // Of the person, in no workspace: which one they act in is chosen with every request.
    const actor = { type: "user" as const, id: userId, name };
    const entry = { workspaceId: null, action: "user.signed_in", objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, actor, details: { method } });
  });
  return sessionId;
}
