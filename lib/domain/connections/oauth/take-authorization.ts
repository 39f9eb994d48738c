import {
  hashState,
  type PendingAuthorization,
  pendingContext,
} from "#lib/domain/connections/oauth/start-authorization";
import { bytea, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
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

const takeState = defineStatement({
  name: "take_authorization",
  params: { hash: bytea, userId: uuid },
  row: { workspace_id: uuid, connector: text, connection_id: nullable(uuid), sealed: bytea },
  sql: `delete from oauth_authorizations where state_hash = $1 and user_id = $2 and expires_at > now()
        returning workspace_id, connector, connection_id, sealed`,
  isPrepared: false,
});

/** What a person began with this state, once. Null is unknown, somebody else's, too old or finished already. */
export async function takeAuthorization(userId: string, state: string): Promise<BegunAuthorization | null> {
  const hash = hashState(state);
  const row = await takeState.first(db(), { hash, userId });
  if (!row) return null;
  const { workspace_id: workspaceId, connector, connection_id: connectionId } = row;
  const pending = unseal<PendingAuthorization>(workspaceId, pendingContext(hash), row.sealed);
  return { workspaceId, connector, connectionId, pending };
}
