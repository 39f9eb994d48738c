import type { ConnectionObject } from "#lib/contract/connection";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { nameTaken } from "#lib/domain/connections/create-connection";
import { getConnection, getConnectionRow } from "#lib/domain/connections/get-connection";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";

interface RenameConnectionRequest {
  workspaceId: string;
  connectionId: string;
  actor: Actor;
  name: string;
}

const writeName = defineStatement({
  name: "rename_connection",
  params: { workspaceId: uuid, connectionId: uuid, name: text },
  sql: "update connections set name = $3, updated_at = now() where workspace_id = $1 and id = $2",
  isPrepared: false,
});

/**
 * Workflows name a connection by its id, so they do not notice.
 * @throws ApiError NOT_FOUND, CONNECTION_NAME_TAKEN
 */
export async function renameConnection(request: RenameConnectionRequest): Promise<ConnectionObject> {
  const { workspaceId, connectionId, name } = request;
  return transaction(async (tx) => {
    const before = await getConnectionRow(tx, workspaceId, connectionId);
    try {
      await writeName.run(tx, { workspaceId, connectionId, name });
    } catch (error) {
      if (isDatabaseFault(error, "unique_violation")) throw nameTaken(name);
      throw error;
    }
    await recordAudit(tx, {
      workspaceId,
      actor: request.actor,
      action: "connection.renamed",
      objectType: "connection",
      objectId: connectionId,
      details: { from: before.name, to: name },
    });
    return getConnection(workspaceId, connectionId, tx);
  });
}
