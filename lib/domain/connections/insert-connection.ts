import { sanitize } from "#lib/core/redaction/sanitize";
import { sealCredentials } from "#lib/domain/connections/credentials/stored-credentials";
import type { TriedCredentials } from "#lib/domain/connections/try-credentials";
import type { PrismaDb } from "#lib/platform/db/prisma";

interface NewConnection {
  id: string;
  workspaceId: string;
  userId: string;
  connector: string;
  name: string;
}

/**
 * Inserts a connection with tested credentials.
 * @returns false if its name is taken
 */
export async function insertConnection(
  prisma: PrismaDb,
  { userId, ...connection }: NewConnection,
  tried: TriedCredentials,
): Promise<boolean> {
  const data = { ...connection, ...columnsOfTried(connection, tried), createdBy: userId };
  const inserted = await prisma.connection.createMany({ data, skipDuplicates: true });
  return inserted.count === 1;
}

/** The columns of a connection that depend on the test of its credentials. */
export function columnsOfTried(
  connection: { workspaceId: string; id: string },
  { outcome, message, status, credentials }: TriedCredentials,
) {
  return {
    status: status ?? ("connected" as const),
    lastError: outcome === "failed" ? sanitize(message) : null,
    credentialsSealed: sealCredentials(connection, credentials),
  };
}
