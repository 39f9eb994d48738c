import { pendingContext } from "#lib/domain/connections/credentials/sealed-contexts";
import { hashState, type PendingAuthorization } from "#lib/domain/connections/oauth/start-authorization";
import { bytea, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";

/** An unfinished sign-in whose person has come back. */
export interface BegunAuthorization {
  /** The workspace where it was started and where its connection belongs, whichever one the browser shows by now. */
  workspaceId: string;
  connector: string;
  /** Set for a connection that is signed in again. */
  connectionId: string | null;
  pending: PendingAuthorization;
}

const takeState = defineStatement({
  name: "take_authorization",
  params: { hash: bytea, userId: uuid },
  row: { workspace_id: uuid, connector: text, connection_id: nullable(uuid), sealed: bytea },
  sql: `delete from oauth_authorizations where state_hash = $1 and user_id = $2 and expires_at > now()
        returning workspace_id, connector, connection_id, sealed`,
  isPrepared: false,
});

/**
 * Returns the sign-in that a person started with this state, once. Null means that it is unknown, someone else's,
 * expired or already finished.
 */
export async function takeAuthorization(userId: string, state: string): Promise<BegunAuthorization | null> {
  const hash = hashState(state);
  const row = await takeState.first(db(), { hash, userId });
  if (!row) return null;
  const { workspace_id: workspaceId, connector, connection_id: connectionId } = row;
  const pending = unseal<PendingAuthorization>(workspaceId, pendingContext(hash), row.sealed);
  return { workspaceId, connector, connectionId, pending };
}
