import type { z } from "zod";
import { MCP } from "#lib/connectors/mcp/connector";
import type { connectionToolsSchema } from "#lib/contract/connection/connection-schema";
import { ApiError } from "#lib/contract/error/api-error";
import { getConnectionRow } from "#lib/domain/connections/get-connection";
import { getResolvedConnection } from "#lib/domain/connections/get-resolved-connection";
import { refreshTools } from "#lib/domain/connections/tools/refresh-tools";
import { loadTools } from "#lib/domain/connections/tools/stored-tools";
import { db } from "#lib/platform/db/pool";

type ConnectionToolsObject = z.output<typeof connectionToolsSchema>;

/**
 * Returns the tools of a connection's server as they were read last.
 * @throws ApiError NOT_FOUND, BAD_REQUEST for a connection to another service
 */
export async function getConnectionTools(workspaceId: string, connectionId: string): Promise<ConnectionToolsObject> {
  const { connector, name } = await getConnectionRow(db(), workspaceId, connectionId);
  if (connector !== MCP)
    throw new ApiError("BAD_REQUEST", `connection_id: ${name} is not a connection to an MCP server`);
  const stored = (await loadTools(db(), workspaceId, [connectionId])).get(connectionId);
  return {
    connection_id: connectionId,
    server: stored?.server ?? null,
    tools: (stored?.tools ?? []).map(({ inputSchema, outputSchema, isRepeatable, name, title, description }) => {
      return {
        name,
        title,
        description,
        params_schema: inputSchema,
        output_schema: outputSchema,
        repeatable: isRepeatable,
      };
    }),
    left_out: stored?.left_out ?? [],
    read_at: stored?.read_at.toISOString() ?? null,
    stale: stored === undefined || stored.stale_at.getTime() <= Date.now(),
    last_error: stored?.last_error ?? null,
  };
}

/**
 * Reads the tools from the server now.
 * @throws ApiError NOT_FOUND, BAD_REQUEST for a connection to another service, CONNECTION_TEST_FAILED in the server's words
 */
export async function refreshConnectionTools(
  workspaceId: string,
  connectionId: string,
): Promise<ConnectionToolsObject> {
  await getConnectionTools(workspaceId, connectionId);
  const fault = await refreshTools(await getResolvedConnection(workspaceId, connectionId));
  if (fault !== null) throw new ApiError("CONNECTION_TEST_FAILED", fault);
  return getConnectionTools(workspaceId, connectionId);
}
