import type { KeyListObject } from "#lib/contract/web/web";
import { countActiveKeys } from "#lib/domain/keys/count-active-keys";
import { KEY_COLUMNS, type KeyRow, presentKey } from "#lib/domain/keys/present-key";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

/**
 * The workspace's keys, newest first, revoked ones too, with the plan's quota.
 * @throws ApiError BAD_REQUEST for a foreign cursor
 */
export async function listKeys(
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<KeyListObject> {
  const filters = { list: "keys", workspaceId };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, filters);
  const { rows } = await db().query<KeyRow>({
    text: `select ${KEY_COLUMNS} from api_keys k
           where k.workspace_id = $1 and ($2::timestamptz is null or (k.created_at, k.id) < ($2, $3))
           order by k.created_at desc, k.id desc limit $4`,
    values: [workspaceId, after?.createdAt ?? null, after?.id ?? null, page.limit + 1],
  });
  const now = new Date();
  const keysetOf = (row: KeyRow) => ({ createdAt: row.created_at, id: row.id });
  return {
    ...toPage(rows, page.limit, filters, keysetOf, (row) => presentKey(row, now)),
    quota: await countActiveKeys(db(), workspaceId),
  };
}
