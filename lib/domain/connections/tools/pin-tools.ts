import type { ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import type { Definition } from "#lib/contract/workflow/graph";
import { calledServer, loadTools, toolConnections } from "#lib/domain/connections/tools/stored-tools";
import { json, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const PIN = { connection_id: uuid, tool: text, definition: json<ToolDefinition>() };

const insertPin = defineStatement({
  name: "pin_tool",
  params: { versionId: uuid, connectionId: uuid, tool: text, definition: json<ToolDefinition>() },
  sql: `insert into workflow_version_tools (workflow_version_id, connection_id, tool, definition)
        values ($1, $2, $3, $4) on conflict do nothing`,
  isPrepared: false,
});

const selectPins = defineStatement({
  name: "load_pinned_tools",
  params: { versionId: uuid },
  row: PIN,
  sql: "select connection_id, tool, definition from workflow_version_tools where workflow_version_id = $1",
});

/** Tools by the key of `toolKey`. */
export type PinnedTools = ReadonlyMap<string, ToolDefinition>;

export function toolKey(connectionId: string, tool: string): string {
  return `${connectionId} ${tool}`;
}

/**
 * Keeps the tools that the steps of a version call, as the server described them last.
 * @param tx the transaction that publishes the version
 */
export async function pinTools(tx: Db, workspaceId: string, versionId: string, definition: Definition): Promise<void> {
  const servers = await loadTools(tx, workspaceId, toolConnections(definition));
  for (const node of definition.nodes) {
    const connectionId = calledServer(node);
    if (connectionId === null) continue;
    const tool = servers.get(connectionId)?.tools.find(({ name }) => name === node.data.operation);
    if (tool) await insertPin.run(tx, { versionId, connectionId, tool: tool.name, definition: tool });
  }
}

const selectDeployedPins = defineStatement({
  name: "load_deployed_tools",
  params: { workspaceId: uuid, workflowId: uuid },
  row: PIN,
  sql: `select t.connection_id, t.tool, t.definition from workflow_versions v
        join workflow_version_tools t on t.workflow_version_id = v.id
        where v.workspace_id = $1 and v.workflow_id = $2 and v.status = 'deployed'`,
  isPrepared: false,
});

/** Loads the tools that the deployed version of a workflow was published with. */
export async function loadDeployedTools(tx: Db, workspaceId: string, workflowId: string): Promise<PinnedTools> {
  return byKey(await selectDeployedPins.all(tx, { workspaceId, workflowId }));
}

/** Loads the tools that a version was published with. */
export async function loadPinnedTools(tx: Db, versionId: string): Promise<PinnedTools> {
  return byKey(await selectPins.all(tx, { versionId }));
}

function byKey(rows: readonly RowOf<typeof PIN>[]): PinnedTools {
  return new Map(rows.map((row) => [toolKey(row.connection_id, row.tool), row.definition]));
}
