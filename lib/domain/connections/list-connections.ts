import type { ConnectionObject } from "#lib/contract/connection/connection";
import type { Page } from "#lib/contract/wire/page";
import {
  CONNECTION_COLUMNS,
  CONNECTION_ROW,
  type ConnectionRow,
  presentConnection,
} from "#lib/domain/connections/connection-row";
import { findUsage } from "#lib/domain/connections/find-usage";
import { bigint, nullable, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

const selectPage = defineStatement({
  name: "list_connections",
  params: { workspaceId: uuid, afterTime: nullable(timestamptz), afterId: nullable(uuid), limit: bigint },
  row: CONNECTION_ROW,
  sql: `select ${CONNECTION_COLUMNS} from connections c
        where c.workspace_id = $1 and ($2::timestamptz is null or (c.created_at, c.id) < ($2, $3))
        order by c.created_at desc, c.id desc limit $4`,
  isPrepared: false,
});

/**
 * Lists the workspace's connections, newest first, with the workflows that use them.
 * @throws ApiError BAD_REQUEST for a cursor of another list
 */
export async function listConnections(
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<ConnectionObject>> {
  const filters = { list: "connections", workspaceId };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, filters);
  const rows = await selectPage.all(db(), {
    workspaceId,
    afterTime: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: page.limit + 1,
  });
  const usage = await findUsage(
    db(),
    workspaceId,
    rows.map((row) => row.id),
  );
  const keysetOf = (row: ConnectionRow) => ({ createdAt: row.created_at, id: row.id });
  return toPage(rows, page.limit, filters, keysetOf, (row) => presentConnection(row, usage.get(row.id) ?? []));
}
