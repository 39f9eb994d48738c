import type { TestedConnection } from "#lib/contract/connection/connection";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { assertAccepted, assertNoPerson } from "#lib/domain/connections/create-connection";
import { parseCredentials } from "#lib/domain/connections/credentials/parse-credentials";
import { getAuth, usableValues } from "#lib/domain/connections/credentials/stored-credentials";
import { connectionNotFound, getConnection, getConnectionRow } from "#lib/domain/connections/get-connection";
import { columnsOfTried } from "#lib/domain/connections/insert-connection";
import { recheckListeners } from "#lib/domain/connections/recheck-listeners";
import { learnTools } from "#lib/domain/connections/tools/refresh-tools";
import { tryCredentials } from "#lib/domain/connections/try-credentials";
import { db } from "#lib/platform/db/pool";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface ReplaceCredentialsRequest {
  workspaceId: string;
  connectionId: string;
  actor: Actor;
  auth: string;
  /** Every field is required: a person must know the secret to change where it is sent. */
  fields: Readonly<Record<string, string>>;
  acceptFailure: boolean;
}

/**
 * Replaces a connection's credentials; every workflow that uses it has the new ones from its next call.
 * @throws ApiError NOT_FOUND, BAD_REQUEST with `details` per field, CONNECTION_TEST_FAILED
 */
export async function replaceCredentials(request: ReplaceCredentialsRequest): Promise<TestedConnection> {
  const { workspaceId, connectionId: id } = request;
  const { connector } = await getConnectionRow(db(), workspaceId, id);
  const given = parseCredentials({ connector, ...request });
  assertNoPerson(connector, given);
  const tried = await tryCredentials(workspaceId, connector, given);
  const { status: _, credentials, ...test } = tried;
  assertAccepted(test, request.acceptFailure);
  const replaced = await prismaTransaction(async (tx) => {
    const connection = { workspaceId, id };
    const written = await tx.prisma.connection.updateMany({
      where: connection,
      data: { ...columnsOfTried(connection, tried), expiresAt: null, updatedAt: new Date() },
    });
    if (written.count !== 1) throw connectionNotFound();
    await recheckListeners(tx, workspaceId, id);
    const origins = getAuth(connector, credentials.auth).origins(usableValues(connector, credentials));
    await recordAudit(tx, {
      workspaceId,
      actor: request.actor,
      action: "connection.credentials_replaced",
      objectType: "connection",
      objectId: id,
      details: { auth: credentials.auth, origins, test: test.outcome },
    });
    return { connection: await getConnection(workspaceId, id, tx), test };
  });
  if (test.outcome === "ok") await learnTools(workspaceId, id);
  return replaced;
}
