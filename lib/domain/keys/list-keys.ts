import type { KeyListObject } from "#lib/contract/wire/web";
import { countActiveKeys } from "#lib/domain/keys/count-active-keys";
import { KEY_COLUMNS, KEY_ROW, type KeyRow, presentKey } from "#lib/domain/keys/present-key";
import { bigint, nullable, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

const selectPage = defineStatement({
  name: "list_keys",
  params: { workspaceId: uuid, after: nullable(timestamptz), afterId: nullable(uuid), limit: bigint },
  row: KEY_ROW,
  sql: `select ${KEY_COLUMNS} from api_keys k
        where k.workspace_id = $1 and ($2::timestamptz is null or (k.created_at, k.id) < ($2, $3))
        order by k.created_at desc, k.id desc limit $4`,
  isPrepared: false,
});

/**
 * Lists the workspace's keys, newest first, including revoked ones, with the plan's quota.
 * @throws ApiError BAD_REQUEST for a cursor of another list
 */
export async function listKeys(
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<KeyListObject> {
  const filters = { list: "keys", workspaceId };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, filters);
  const rows = await selectPage.all(db(), {
    workspaceId,
    after: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: page.limit + 1,
  });
  const now = new Date();
  const keysetOf = (row: KeyRow) => ({ createdAt: row.created_at, id: row.id });
  return {
    ...toPage(rows, page.limit, filters, keysetOf, (row) => presentKey(row, now)),
    quota: await countActiveKeys(db(), workspaceId),
  };
}
