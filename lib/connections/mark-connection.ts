import { log } from "#lib/config/log";
import type { ResolvedConnection } from "#lib/connections/resolve-connection";
import type { ConnectionStatus } from "#lib/contract/connection";
import { type Db, db } from "#lib/db/pool";

const USED_EVERY_MS = 60_000;

/**
 * Notes what a use of the connection showed: that its credentials are accepted (last used at most once a minute), or
 * that they are not. It must not fail the call it tells of.
 */
export async function noteUse(connection: ResolvedConnection, refusal: string | null): Promise<void> {
  const isFresh = connection.lastUsedAt !== null && Date.now() - connection.lastUsedAt.getTime() < USED_EVERY_MS;
  if (refusal === null && isFresh && connection.status === "connected") return;
  try {
    await markConnection(db(), connection, refusal === null ? "connected" : "expired", refusal);
    if (refusal === null) connection.status = "connected";
  } catch (error) {
    log.warn({ err: error, connection_id: connection.id }, "the use of a connection could not be noted");
  }
}

/** Only while the credentials are those that were tried: what an old secret met says nothing about its replacement. */
export async function markConnection(
  tx: Db,
  { workspaceId, id, sealed }: ResolvedConnection,
  status: ConnectionStatus,
  lastError: string | null,
): Promise<void> {
  await tx.query({
    name: "mark_connection",
    text: `update connections set status = $4, last_error = $5,
             last_used_at = case when last_used_at > now() - interval '1 minute' then last_used_at else now() end
           where workspace_id = $1 and id = $2 and credentials_sealed = $3`,
    values: [workspaceId, id, sealed, status, lastError],
  });
}
