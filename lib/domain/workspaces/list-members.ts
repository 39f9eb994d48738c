import { ApiError } from "#lib/contract/error/api-error";
import type { Page } from "#lib/contract/wire/page";
import { ROLES } from "#lib/contract/workspace/roles";
import type { MemberObject } from "#lib/contract/workspace/workspace";
import { isActiveKey } from "#lib/domain/workspaces/is-active-key";
import { bigint, enumOf, nullable, type RowOf, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { type Db, db } from "#lib/platform/db/pool";

const MEMBER_ROW = {
  user_id: uuid,
  name: text,
  email: text,
  role: enumOf(ROLES),
  created_at: timestamptz,
  active_keys: bigint,
};
type MemberRow = RowOf<typeof MEMBER_ROW>;

const SELECT = `select m.user_id, u.name, u.email, m.role, m.created_at,
    (select count(*) from api_keys k where k.workspace_id = m.workspace_id and k.created_by = m.user_id
       and ${isActiveKey("k")}) as active_keys
  from workspace_members m join users u on u.id = m.user_id`;

const selectPage = defineStatement({
  name: "list_members",
  params: { workspaceId: uuid, after: nullable(timestamptz), afterId: nullable(uuid), limit: bigint },
  row: MEMBER_ROW,
  sql: `${SELECT} where m.workspace_id = $1 and ($2::timestamptz is null or (m.created_at, m.user_id) > ($2, $3))
        order by m.created_at, m.user_id limit $4`,
  isPrepared: false,
});

/**
 * Lists the members of a workspace, the longest membership first.
 * @throws ApiError BAD_REQUEST for a cursor of another list
 */
export async function listMembers(
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<MemberObject>> {
  const filters = { list: "members", workspaceId };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, filters);
  const rows = await selectPage.all(db(), {
    workspaceId,
    after: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: page.limit + 1,
  });
  const keysetOf = (row: MemberRow) => ({ createdAt: row.created_at, id: row.user_id });
  return toPage(rows, page.limit, filters, keysetOf, presentMember);
}

const selectMember = defineStatement({
  name: "get_member",
  params: { workspaceId: uuid, userId: uuid },
  row: MEMBER_ROW,
  sql: `${SELECT} where m.workspace_id = $1 and m.user_id = $2`,
  isPrepared: false,
});

/** @throws ApiError NOT_FOUND, also for a user of another workspace */
export async function getMember(tx: Db, workspaceId: string, userId: string): Promise<MemberObject> {
  const member = await selectMember.first(tx, { workspaceId, userId });
  if (!member) throw new ApiError("NOT_FOUND", "There is no such member.");
  return presentMember(member);
}

function presentMember({ created_at: joinedAt, ...row }: MemberRow): MemberObject {
  return { ...row, joined_at: joinedAt.toISOString() };
}
