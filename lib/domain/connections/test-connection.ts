import type { TestedConnection } from "#lib/contract/connection";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { markConnection } from "#lib/domain/connections/credentials/mark-connection";
import { getConnection } from "#lib/domain/connections/get-connection";
import { getResolvedConnection } from "#lib/domain/connections/get-resolved-connection";
import { tryConnection } from "#lib/domain/connections/try-credentials";
import { transaction } from "#lib/platform/db/transaction";

interface TestConnectionRequest {
  workspaceId: string;
  connectionId: string;
  actor: Actor;
}

/**
 * Asks the other side whether it still accepts the connection, and stores what it says.
 * @throws ApiError NOT_FOUND, CONNECTION_TEST_FAILED when its credentials cannot be read any more
 */
export async function testConnection({
  workspaceId,
  connectionId,
  actor,
}: TestConnectionRequest): Promise<TestedConnection> {
  const connection = await getResolvedConnection(workspaceId, connectionId);
  const { status, ...test } = await tryConnection(connection);
  return transaction(async (tx) => {
    const lastError = test.outcome === "failed" ? test.message : null;
    if (status !== null) await markConnection(tx, connection, { status, lastError, isUse: false });
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "connection.tested",
      objectType: "connection",
      objectId: connectionId,
      details: { outcome: test.outcome },
    });
    return { connection: await getConnection(workspaceId, connectionId, tx), test };
  });
}
