import { MCP } from "#lib/connectors/mcp/connector";
import type { ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import { toolOperation } from "#lib/connectors/mcp/tool-operation";
import type { Definition } from "#lib/contract/workflow/graph";
import type { FindOperation } from "#lib/core/steps/call-operation";
import { loadPinnedTools, toolKey } from "#lib/domain/connections/tools/pin-tools";
import { loadTools, toolConnections } from "#lib/domain/connections/tools/stored-tools";
import { latestCustomFinder, pinnedCustomFinder } from "#lib/domain/custom-connectors/load-custom-connectors";
import type { Db } from "#lib/platform/db/pool";

/** Resolves the operations of a tested definition: the latest builds of connectors, and the latest tools of servers. */
export async function latestFinder(tx: Db, workspaceId: string, definition: Definition): Promise<FindOperation> {
  const find = await latestCustomFinder(tx, workspaceId, definition);
  const ids = toolConnections(definition);
  if (ids.length === 0) return find;
  const servers = await loadTools(tx, workspaceId, ids);
  return withTools(find, (id, name) => servers.get(id)?.tools.find((tool) => tool.name === name));
}

/** Resolves the operations of a published version from what it was published with, permanently. */
export async function pinnedFinder(tx: Db, versionId: string, definition: Definition): Promise<FindOperation> {
  const find = await pinnedCustomFinder(tx, versionId, definition);
  if (toolConnections(definition).length === 0) return find;
  const pinned = await loadPinnedTools(tx, versionId);
  return withTools(find, (id, name) => pinned.get(toolKey(id, name)));
}

function withTools(
  find: FindOperation,
  findTool: (connectionId: string, name: string) => ToolDefinition | undefined,
): FindOperation {
  return (connector, name, connectionId) => {
    if (connector !== MCP) return find(connector, name, connectionId);
    const tool = connectionId === null ? undefined : findTool(connectionId, name);
    return tool ? toolOperation(tool) : null;
  };
}
