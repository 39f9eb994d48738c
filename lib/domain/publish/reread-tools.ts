import { ApiError } from "#lib/contract/error/api-error";
import { learnTools } from "#lib/domain/connections/tools/refresh-tools";
import { toolConnections } from "#lib/domain/connections/tools/stored-tools";
import { getDefinition, type ShownVersion } from "#lib/domain/workflows/get-definition";

/**
 * Reads the tools of every MCP server that a definition calls, before it is checked for publishing: a server can change a
 * tool at any time. What cannot be read in time is noted with the connection, and the checks report it.
 */
export async function rereadTools(workspaceId: string, workflowId: string, version: ShownVersion): Promise<void> {
  const definition = await findDefinition(workspaceId, workflowId, version);
  const servers = definition === null ? [] : toolConnections(definition);
  await Promise.all(servers.map((id) => learnTools(workspaceId, id)));
}

/** Returns null for an unknown workflow or version, which the caller reports. */
async function findDefinition(workspaceId: string, workflowId: string, version: ShownVersion) {
  try {
    return (await getDefinition(workspaceId, workflowId, version)).definition;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
