import { MCP } from "#lib/connectors/mcp/connector";
import type { McpServerInfo } from "#lib/connectors/mcp/protocol";
import type { LeftOutTool, ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { log } from "#lib/platform/config/log";
import { array, json, nullable, type RowOf, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

const STORED_TOOLS = {
  connection_id: uuid,
  server: json<McpServerInfo>(),
  tools: json<ToolDefinition[]>(),
  left_out: json<LeftOutTool[]>(),
  read_at: timestamptz,
  stale_at: timestamptz,
  last_error: nullable(text),
};

/** The tools of a server as they were read last. */
export type StoredTools = RowOf<typeof STORED_TOOLS>;

const selectTools = defineStatement({
  name: "load_connection_tools",
  params: { workspaceId: uuid, ids: array(uuid) },
  row: STORED_TOOLS,
  sql: `select connection_id, server, tools, left_out, read_at, stale_at, last_error from connection_tools
        where workspace_id = $1 and connection_id = any($2)`,
});

const markStale = defineStatement({
  name: "mark_tools_stale",
  params: { workspaceId: uuid, connectionId: uuid },
  sql: "update connection_tools set stale_at = now() where workspace_id = $1 and connection_id = $2 and stale_at > now()",
});

/** Loads the tools of these connections, by connection. Those that were never read are missing. */
export async function loadTools(
  tx: Db,
  workspaceId: string,
  connectionIds: readonly string[],
): Promise<Map<string, StoredTools>> {
  const ids = connectionIds.filter((id) => UUID_PATTERN.test(id));
  if (ids.length === 0) return new Map();
  const rows = await selectTools.all(tx, { workspaceId, ids });
  return new Map(rows.map((row) => [row.connection_id, row]));
}

/** Records that a server has changed its tools. The call that noticed must not fail because of it. */
export async function noteChangedTools(workspaceId: string, connectionId: string): Promise<void> {
  try {
    await markStale.run(db(), { workspaceId, connectionId });
  } catch (error) {
    log.warn({ err: error, connection_id: connectionId }, "a change of tools could not be recorded");
  }
}

/** Returns the connections whose tools the steps of a definition call. */
export function toolConnections({ nodes }: Pick<Definition, "nodes">): string[] {
  const ids = nodes.flatMap((node) => {
    const id = calledServer(node);
    return id === null ? [] : [id];
  });
  return [...new Set(ids)].sort();
}

/** Returns the connection whose tool a step calls; null if it calls none. */
export function calledServer({ type, data }: GraphNode): string | null {
  const { connector, connection_id: id } = data;
  return type === "connector" && connector === MCP && typeof id === "string" && id !== "" ? id : null;
}
