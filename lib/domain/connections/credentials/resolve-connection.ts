import type { AuthDefinition } from "#lib/connectors/sdk/define-connector";
import { CONNECTION_STATUSES, type ConnectionStatus } from "#lib/contract/connection/connection";
import { type Credentials, getAuth, unsealCredentials } from "#lib/domain/connections/credentials/stored-credentials";
import { bytea, enumOf, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

/** A connection with its secrets, kept only for the time of a call. It must not leave the rooms that send. */
export interface ResolvedConnection {
  id: string;
  workspaceId: string;
  connector: string;
  name: string;
  status: ConnectionStatus;
  lastUsedAt: Date | null;
  /** The sealed bytes the credentials came from, to detect whether they were replaced meanwhile. */
  sealed: Uint8Array;
  credentials: Credentials;
  /** How the connector uses them. */
  auth: AuthDefinition;
}

const findSealed = defineStatement({
  name: "resolve_connection",
  params: { workspaceId: uuid, connectionId: uuid },
  row: {
    id: uuid,
    connector: text,
    name: text,
    status: enumOf(CONNECTION_STATUSES),
    last_used_at: nullable(timestamptz),
    credentials_sealed: bytea,
  },
  sql: `select id, connector, name, status, last_used_at, credentials_sealed from connections
        where workspace_id = $1 and id = $2`,
});

/**
 * Decrypts a connection's secrets at the moment they are used; nothing else does. Reads by workspace and id together,
 * so that an id of another workspace is unknown.
 * @returns null if the workspace has no such connection
 * @throws CredentialsUnreadable
 */
export async function resolveConnection(
  workspaceId: string,
  connectionId: string,
  tx: Db = db(),
): Promise<ResolvedConnection | null> {
  if (!UUID_PATTERN.test(connectionId)) return null;
  const row = await findSealed.first(tx, { workspaceId, connectionId });
  if (!row) return null;
  const { id, connector, name, status, last_used_at: lastUsedAt, credentials_sealed: sealed } = row;
  const credentials = unsealCredentials({ workspaceId, id }, sealed);
  const auth = getAuth(connector, credentials.auth);
  return { id, workspaceId, connector, name, status, lastUsedAt, sealed, credentials, auth };
}
