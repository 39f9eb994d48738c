import { CONNECTION_STATUSES, type ConnectionStatus } from "#lib/contract/connection/connection";
import { sanitize } from "#lib/core/redaction/sanitize";
import type { ResolvedConnection } from "#lib/domain/connections/credentials/resolve-connection";
import { log } from "#lib/platform/config/log";
import { boolean, bytea, enumOf, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

const USED_EVERY_MS = 60_000;

const writeNote = defineStatement({
  name: "mark_connection",
  params: {
    workspaceId: uuid,
    id: uuid,
    sealed: bytea,
    status: enumOf(CONNECTION_STATUSES),
    lastError: nullable(text),
    isUse: boolean,
  },
  sql: `update connections set status = $4, last_error = $5,
          last_used_at = case when $6 and coalesce(last_used_at < now() - interval '1 minute', true) then now()
                         else last_used_at end
        where workspace_id = $1 and id = $2 and credentials_sealed = $3`,
});

interface ConnectionNote {
  status: ConnectionStatus;
  lastError: string | null;
  /** False for a test. */
  isUse: boolean;
}

/**
 * Records the result of using a connection: its credentials are accepted (last used at most once a minute), or they are
 * not. It must not fail the call it reports on.
 */
export async function noteUse(connection: ResolvedConnection, refusal: string | null): Promise<void> {
  const isFresh = connection.lastUsedAt !== null && Date.now() - connection.lastUsedAt.getTime() < USED_EVERY_MS;
  if (refusal === null && isFresh && connection.status === "connected") return;
  try {
    const status = refusal === null ? "connected" : "expired";
    await markConnection(db(), connection, { status, lastError: refusal, isUse: true });
    connection.status = status;
    connection.lastUsedAt = new Date();
  } catch (error) {
    log.warn({ err: error, connection_id: connection.id }, "the use of a connection could not be recorded");
  }
}

/**
 * Only while the credentials are the ones that were used: a result for an old secret says nothing about its
 * replacement.
 */
export async function markConnection(
  tx: Db,
  { workspaceId, id, sealed }: ResolvedConnection,
  { status, lastError, isUse }: ConnectionNote,
): Promise<void> {
  await writeNote.run(tx, { workspaceId, id, sealed, status, lastError: sanitize(lastError), isUse });
}
