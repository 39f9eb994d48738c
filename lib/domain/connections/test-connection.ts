import type { TestedConnection } from "#lib/contract/connection/connection";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { markConnection } from "#lib/domain/connections/credentials/mark-connection";
import { getConnection } from "#lib/domain/connections/get-connection";
import { getResolvedConnection } from "#lib/domain/connections/get-resolved-connection";
import { tryConnection } from "#lib/domain/connections/try-credentials";
import { transaction } from "#lib/platform/db/pool";

interface TestConnectionRequest {
  workspaceId: string;
  connectionId: string;
  actor: Actor;
}

/**
 * Checks whether the service still accepts the connection, and stores the result.
 * @throws ApiError NOT_FOUND, CONNECTION_TEST_FAILED if its credentials can no longer be decrypted
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
