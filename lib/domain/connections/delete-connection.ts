import type { ConnectionUse } from "#lib/contract/connection/connection";
import { ApiError } from "#lib/contract/error/api-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { findUsage } from "#lib/domain/connections/find-usage";
import { connectionNotFound } from "#lib/domain/connections/get-connection";
import { text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface DeleteConnectionRequest {
  workspaceId: string;
  connectionId: string;
  actor: Actor;
}

const NAMES_SHOWN = 5;

const lockConnection = defineStatement({
  name: "lock_connection",
  params: { workspaceId: uuid, connectionId: uuid },
  row: { name: text, connector: text },
  sql: "select name, connector from connections where workspace_id = $1 and id = $2 for update",
  isPrepared: false,
});

/**
 * Deletes a connection with its credentials, unless a workflow uses it. Publishing locks the row before it relies on
 * the connection, so no version published at the same time is left without it.
 * @throws ApiError NOT_FOUND, CONNECTION_IN_USE with `details.used_by`
 */
export async function deleteConnection(
  request: DeleteConnectionRequest,
): Promise<{ connection_id: string; deleted: true }> {
  const { workspaceId, connectionId } = request;
  return prismaTransaction(async (tx) => {
    const connection = await lockConnection.first(tx, { workspaceId, connectionId });
    if (!connection) throw connectionNotFound();
    const usage = await findUsage(tx, workspaceId, [connectionId]);
    assertUnused("CONNECTION_IN_USE", connection.name, usage.get(connectionId) ?? []);
    await tx.prisma.connection.deleteMany({ where: { workspaceId, id: connectionId } });
    await recordAudit(tx, {
      workspaceId,
      actor: request.actor,
      action: "connection.deleted",
      objectType: "connection",
      objectId: connectionId,
      details: connection,
    });
    return { connection_id: connectionId, deleted: true };
  });
}

const INSTEAD = { CONNECTION_IN_USE: "another connection", CONNECTOR_IN_USE: "something else" };

/** @throws ApiError with `details.used_by` if a workflow uses it */
export function assertUnused(code: keyof typeof INSTEAD, name: string, usedBy: ConnectionUse[]): void {
  if (usedBy.length === 0) return;
  const named = usedBy.slice(0, NAMES_SHOWN).map((use) => use.name);
  const more = usedBy.length - named.length;
  const list = named.join(", ") + (more > 0 ? ` and ${more} more` : "");
  const message = `${name} is used by ${list}. Choose ${INSTEAD[code]} there first, then publish.`;
  throw new ApiError(code, message, { details: { used_by: usedBy } });
}
