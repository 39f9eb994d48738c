import { MCP } from "#lib/connectors/mcp/connector";
import { StepError } from "#lib/contract/run/step-error";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import type { StepConnection } from "#lib/core/engine/ports";
import { connectionSend } from "#lib/domain/connections/connection-send";
import { type ResolvedConnection, resolveConnection } from "#lib/domain/connections/credentials/resolve-connection";
import { CredentialsUnreadable, serviceSettings } from "#lib/domain/connections/credentials/stored-credentials";
import { noteChangedTools } from "#lib/domain/connections/tools/stored-tools";

/**
 * Opens a connection for a step: a send function with its credentials, and its settings that are not secret. A 401
 * marks it expired, any other answer marks it connected again (decisions, Connections).
 * @param send the client that attaches credentials
 * @throws StepError VALIDATION_ERROR if the workspace has no such connection, AUTH_EXPIRED if it cannot be decrypted
 */
export async function openConnection(
  workspaceId: string,
  connectionId: string,
  send: SendRequest,
): Promise<StepConnection> {
  const connection = await resolve(workspaceId, connectionId);
  const { id, connector, name, credentials, auth } = connection;
  return {
    id,
    name,
    connector,
    settings: serviceSettings(connector, auth, credentials.values),
    send: connectionSend(connection, send),
    ...(connector === MCP ? { onToolsChanged: () => void noteChangedTools(workspaceId, id) } : {}),
  };
}

async function resolve(workspaceId: string, connectionId: string): Promise<ResolvedConnection> {
  try {
    const connection = await resolveConnection(workspaceId, connectionId);
    if (connection) return connection;
  } catch (cause) {
    if (!(cause instanceof CredentialsUnreadable)) throw cause;
    throw new StepError(
      "credentials_unreadable",
      "connection_id: the credentials can no longer be read; replace them",
      {
        cause,
      },
    );
  }
  throw new StepError("connection_missing", "connection_id: there is no such connection");
}
