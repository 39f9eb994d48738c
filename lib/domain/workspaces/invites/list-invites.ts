import type { Page } from "#lib/contract/wire/page";
import type { InviteObject } from "#lib/contract/workspace/workspace";
import { INVITE_ROW, presentInvite } from "#lib/domain/workspaces/invites/present-invite";
import { bigint, nullable, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { db } from "#lib/platform/db/pool";

const selectPage = defineStatement({
  name: "list_invites",
  params: { workspaceId: uuid, after: nullable(timestamptz), afterId: nullable(uuid), limit: bigint },
  row: INVITE_ROW,
  sql: `select i.id, i.email, i.role, u.name as inviter, i.created_at, i.expires_at, i.next_mail_at, i.mailed_at,
          i.mail_error
        from workspace_invites i left join users u on u.id = i.invited_by
        where i.workspace_id = $1 and i.accepted_at is null
          and ($2::timestamptz is null or (i.created_at, i.id) < ($2, $3))
        order by i.created_at desc, i.id desc limit $4`,
  isPrepared: false,
});

/**
 * Lists the unused invites, newest first, including expired ones.
 * @throws ApiError BAD_REQUEST for a cursor of another list
 */
export async function listInvites(
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<InviteObject>> {
  const filters = { list: "invites", workspaceId };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, filters);
  const rows = await selectPage.all(db(), {
    workspaceId,
    after: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: page.limit + 1,
  });
  const now = new Date();
  return toPage(
    rows,
    page.limit,
    filters,
    (row) => ({ createdAt: row.created_at, id: row.id }),
    (row) => presentInvite(row, now),
  );
}
