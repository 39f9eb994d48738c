import {
  hashState,
  type PendingAuthorization,
  pendingContext,
} from "#lib/domain/connections/oauth/start-authorization";
import { db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";

/** A sign-in that waited for its person to come back. */
export interface BegunAuthorization {
  /** Where it was begun, and where its connection goes, whichever workspace the person looks at by now. */
  workspaceId: string;
  connector: string;
  /** Of a connection that is signed in again. */
  connectionId: string | null;
  pending: PendingAuthorization;
}

interface StateRow {
  workspace_id: string;
  connector: string;
  connection_id: string | null;
  sealed: Uint8Array;
}

/** What a person began with this state, once. Null is unknown, somebody else's, too old or finished already. */
export async function takeAuthorization(userId: string, state: string): Promise<BegunAuthorization | null> {
  const hash = hashState(state);
  const { rows } = await db().query<StateRow>({
    text: `delete from oauth_authorizations where state_hash = $1 and user_id = $2 and expires_at > now()
           returning workspace_id, connector, connection_id, sealed`,
    values: [hash, userId],
  });
  const row = rows[0];
  if (!row) return null;
  const { workspace_id: workspaceId, connector, connection_id: connectionId } = row;
  const pending = unseal<PendingAuthorization>(workspaceId, pendingContext(hash), row.sealed);
  return { workspaceId, connector, connectionId, pending };
}
