import { connectionNotFound } from "#lib/connections/get-connection";
import { type ResolvedConnection, resolveConnection } from "#lib/connections/resolve-connection";
import { CredentialsUnreadable } from "#lib/connections/stored-credentials";
import { ApiError } from "#lib/contract/api-error";

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
