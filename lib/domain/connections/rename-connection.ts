import type { ConnectionObject } from "#lib/contract/connection/connection";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { nameTaken } from "#lib/domain/connections/create-connection";
import { getConnection, getConnectionRow } from "#lib/domain/connections/get-connection";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface RenameConnectionRequest {
  workspaceId: string;
  connectionId: string;
  actor: Actor;
  name: string;
}

/**
 * Renames a connection. Workflows refer to it by id and are not affected.
 * @throws ApiError NOT_FOUND, CONNECTION_NAME_TAKEN
 */
export async function renameConnection(request: RenameConnectionRequest): Promise<ConnectionObject> {
  const { workspaceId, connectionId, name } = request;
  return prismaTransaction(async (tx) => {
    const before = await getConnectionRow(tx, workspaceId, connectionId);
    try {
      await tx.prisma.connection.updateMany({
        where: { workspaceId, id: connectionId },
        data: { name, updatedAt: new Date() },
      });
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
