import { ApiError } from "#lib/contract/api-error";
import { type ResolvedConnection, resolveConnection } from "#lib/domain/connections/credentials/resolve-connection";
import { CredentialsUnreadable } from "#lib/domain/connections/credentials/stored-credentials";
import { connectionNotFound } from "#lib/domain/connections/get-connection";

/**
 * A connection with its secrets, for a person who asks something of its other side.
 * @throws ApiError NOT_FOUND, CONNECTION_TEST_FAILED when its credentials cannot be read any more
 */
export async function getResolvedConnection(workspaceId: string, connectionId: string): Promise<ResolvedConnection> {
  try {
    const connection = await resolveConnection(workspaceId, connectionId);
    if (connection) return connection;
  } catch (cause) {
    if (!(cause instanceof CredentialsUnreadable)) throw cause;
    throw new ApiError("CONNECTION_TEST_FAILED", "Its credentials cannot be read any more. Replace them.", { cause });
  }
  throw connectionNotFound();
}
