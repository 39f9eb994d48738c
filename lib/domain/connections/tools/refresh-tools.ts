import { MCP } from "#lib/connectors/mcp/connector";
import { listTools, type ServerTools } from "#lib/connectors/mcp/list-tools";
import type { McpServerInfo } from "#lib/connectors/mcp/protocol";
import type { LeftOutTool, ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import { sanitize } from "#lib/core/redaction/sanitize";
import { connectionSend } from "#lib/domain/connections/connection-send";
import { type ResolvedConnection, resolveConnection } from "#lib/domain/connections/credentials/resolve-connection";
import { CredentialsUnreadable, serviceSettings } from "#lib/domain/connections/credentials/stored-credentials";
import { log } from "#lib/platform/config/log";
import { float8, json, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

const upsertTools = defineStatement({
  name: "store_connection_tools",
  params: {
    workspaceId: uuid,
    connectionId: uuid,
    server: json<McpServerInfo>(),
    tools: json<ToolDefinition[]>(),
    leftOut: json<LeftOutTool[]>(),
    freshSeconds: float8,
  },
  sql: `insert into connection_tools (workspace_id, connection_id, server, tools, left_out, stale_at)
        select c.workspace_id, c.id, $3, $4, $5, now() + make_interval(secs => $6)
        from connections c where c.workspace_id = $1 and c.id = $2
        on conflict (connection_id) do update set server = excluded.server, tools = excluded.tools,
          left_out = excluded.left_out, read_at = now(), stale_at = excluded.stale_at, last_error = null`,
  isPrepared: false,
});

const noteFailure = defineStatement({
  name: "note_unread_tools",
  params: { workspaceId: uuid, connectionId: uuid, error: text },
  sql: "update connection_tools set last_error = $3 where workspace_id = $1 and connection_id = $2",
  isPrepared: false,
});

/**
 * Reads the tools of a server and stores them for its connection. A failure is stored, too, and keeps the tools that were
 * read before.
 * @returns why they could not be read in time; null if they were
 */
export async function refreshTools(connection: ResolvedConnection): Promise<string | null> {
  const { id: connectionId, workspaceId, connector, auth, credentials } = connection;
  const timeUp = new AbortController();
  const message = `The server did not list its tools within ${LIMITS.mcpListMs / 1_000} s`;
  const timer = setTimeout(() => timeUp.abort(new StepError("service_timeout", message)), LIMITS.mcpListMs);
  try {
    const listed = await listTools({
      settings: serviceSettings(connector, auth, credentials.values),
      send: connectionSend(connection, outgoingSend(workspaceId)),
      signal: timeUp.signal,
      now: () => new Date(),
    });
    await storeTools(connection, listed);
    return null;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    await noteFailure.run(db(), { workspaceId, connectionId, error: sanitize(error.message) });
    return error.message;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads the tools of a new or changed connection, if its connector has any. The connection exists already, so a failure is
 * no error: the next look at it reads them again.
 */
export async function learnTools(workspaceId: string, connectionId: string): Promise<void> {
  const connection = await resolveReadable(workspaceId, connectionId);
  if (connection?.connector !== MCP) return;
  const fault = await refreshTools(connection);
  if (fault !== null) log.warn({ fault, connection_id: connectionId }, "the tools of a connection could not be read");
}

/** Returns null for a connection that does not exist, or whose credentials are lost: the checks report both. */
async function resolveReadable(workspaceId: string, connectionId: string): Promise<ResolvedConnection | null> {
  try {
    return await resolveConnection(workspaceId, connectionId);
  } catch (error) {
    if (error instanceof CredentialsUnreadable) return null;
    throw error;
  }
}

async function storeTools({ workspaceId, id }: ResolvedConnection, { server, tools, leftOut, ttlMs }: ServerTools) {
  const { mcpToolsFreshMs, mcpToolsFreshMinMs: least, mcpToolsFreshMaxMs: most } = LIMITS;
  const freshMs = Math.min(most, Math.max(least, ttlMs ?? mcpToolsFreshMs));
  const freshSeconds = freshMs / 1_000;
  await upsertTools.run(db(), { workspaceId, connectionId: id, server, tools, leftOut, freshSeconds });
}
