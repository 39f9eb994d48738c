import { ApiError } from "#lib/contract/error/api-error";
import { type ResolvedConnection, resolveConnection } from "#lib/domain/connections/credentials/resolve-connection";
import { CredentialsUnreadable } from "#lib/domain/connections/credentials/stored-credentials";
import { connectionNotFound } from "#lib/domain/connections/get-connection";

/**
 * Returns a connection with its secrets, for a person's request to its service.
 * @throws ApiError NOT_FOUND, CONNECTION_TEST_FAILED if its credentials can no longer be decrypted
 */
export async function getResolvedConnection(workspaceId: string, connectionId: string): Promise<ResolvedConnection> {
  try {
    const connection = await resolveConnection(workspaceId, connectionId);
    if (connection) return connection;
  } catch (cause) {
    if (!(cause instanceof CredentialsUnreadable)) throw cause;
    throw new ApiError("CONNECTION_TEST_FAILED", "The credentials can no longer be read. Replace them.", { cause });
  }
  throw connectionNotFound();
}
