import type { ConnectorOperationObject, OperationSchemaObject } from "#lib/connectors/describe-connectors";
import { MCP } from "#lib/connectors/mcp/connector";
import { describeTool, describeToolSchema, type ToolSource } from "#lib/connectors/mcp/describe-tool";
import { ApiError } from "#lib/contract/error/api-error";
import { getConnectionRow } from "#lib/domain/connections/get-connection";
import { listServerTools } from "#lib/domain/connections/tools/list-server-tools";
import { loadTools, type StoredTools } from "#lib/domain/connections/tools/stored-tools";
import { operationNotFound } from "#lib/domain/custom-connectors/get-custom-connector";
import { db } from "#lib/platform/db/pool";

/**
 * Lists the tools of one server, or of all that the workspace is connected to, as operations.
 * @throws ApiError NOT_FOUND for a connection of another workspace
 */
export async function listToolOperations(
  workspaceId: string,
  connectionId: string | undefined,
): Promise<ConnectorOperationObject[]> {
  if (connectionId !== undefined) {
    const { tools, source } = await getServer(workspaceId, connectionId);
    return tools.map((tool) => describeTool(tool, source));
  }
  const rows = await listServerTools(workspaceId);
  return rows.map(({ connection_id, connection, tool, title, about }) => {
    return describeTool({ name: tool, title, description: about }, { id: connection_id, name: connection });
  });
}

/**
 * Describes one tool with its schemas.
 * @param connectionId may be left out if only one server has a tool of this name
 * @throws ApiError NOT_FOUND, BAD_REQUEST if several servers have one
 */
export async function getToolSchema(
  workspaceId: string,
  connectionId: string | undefined,
  name: string,
): Promise<OperationSchemaObject> {
  const id = connectionId ?? (await findServer(workspaceId, name));
  const { tools, source } = await getServer(workspaceId, id);
  const tool = tools.find((item) => item.name === name);
  if (tool) return describeToolSchema(tool, source);
  throw operationNotFound(
    MCP,
    name,
    tools.map((item) => item.name),
  );
}

async function findServer(workspaceId: string, name: string): Promise<string> {
  const rows = await listServerTools(workspaceId);
  const [first, ...others] = rows.filter(({ tool }) => tool === name);
  if (!first) throw operationNotFound(MCP, name, [...new Set(rows.map(({ tool }) => tool))]);
  if (others.length === 0) return first.connection_id;
  const choices = [first, ...others].map(({ connection, connection_id }) => `${connection} (${connection_id})`);
  throw new ApiError("BAD_REQUEST", `connection_id: several servers have the tool ${name}: ${choices.join(", ")}`);
}

/**
 * Returns the tools of a connection as they were read last.
 * @throws ApiError NOT_FOUND if there is no such connection, BAD_REQUEST if its tools were never read
 */
async function getServer(workspaceId: string, connectionId: string): Promise<StoredTools & { source: ToolSource }> {
  const { connector, name } = await getConnectionRow(db(), workspaceId, connectionId);
  const stored = (await loadTools(db(), workspaceId, [connectionId])).get(connectionId);
  if (stored) return { ...stored, source: { id: connectionId, name } };
  const message =
    connector === MCP
      ? `the tools of ${name} have not been read. Refresh its tools on the page of the connection`
      : `${name} is a connection to ${connector}, which has no tools`;
  throw new ApiError("BAD_REQUEST", `connection_id: ${message}`);
}
