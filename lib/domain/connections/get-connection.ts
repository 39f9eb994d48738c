import type { ConnectionObject } from "#lib/contract/connection/connection";
import { ApiError } from "#lib/contract/error/api-error";
import {
  CONNECTION_COLUMNS,
  CONNECTION_ROW,
  type ConnectionRow,
  presentConnection,
} from "#lib/domain/connections/connection-row";
import { findUsage } from "#lib/domain/connections/find-usage";
import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

const findRow = defineStatement({
  name: "get_connection",
  params: { workspaceId: uuid, connectionId: uuid },
  row: CONNECTION_ROW,
  sql: `select ${CONNECTION_COLUMNS} from connections c where c.workspace_id = $1 and c.id = $2`,
  isPrepared: false,
});

/** @throws ApiError NOT_FOUND, also for a connection of another workspace */
export async function getConnection(
  workspaceId: string,
  connectionId: string,
  tx: Db = db(),
): Promise<ConnectionObject> {
  const row = await getConnectionRow(tx, workspaceId, connectionId);
  const usage = await findUsage(tx, workspaceId, [connectionId]);
  return presentConnection(row, usage.get(connectionId) ?? []);
}

/** @throws ApiError NOT_FOUND */
export async function getConnectionRow(tx: Db, workspaceId: string, connectionId: string): Promise<ConnectionRow> {
  const row = await findRow.first(tx, { workspaceId, connectionId });
  if (!row) throw connectionNotFound();
  return row;
}

export function connectionNotFound(): ApiError {
  return new ApiError("NOT_FOUND", "There is no such connection.");
}
