import { ApiError } from "#lib/contract/api-error";
import type { Page } from "#lib/contract/page";
import type { Role } from "#lib/contract/roles";
import type { MemberObject } from "#lib/contract/workspace";
import { decodeCursor, toPage } from "#lib/platform/db/page-cursor";
import { type Db, db } from "#lib/platform/db/pool";

interface MemberRow {
  user_id: string;
  name: string;
  email: string;
  role: Role;
  created_at: Date;
  active_keys: number;
}

const SELECT = `select m.user_id, u.name, u.email, m.role, m.created_at,
    (select count(*) from api_keys k where k.workspace_id = m.workspace_id and k.created_by = m.user_id and k.is_active
       and (k.expires_at is null or k.expires_at > now())) as active_keys
  from workspace_members m join users u on u.id = m.user_id`;

/** The people of a workspace, those of longest standing first. @throws ApiError BAD_REQUEST for a foreign cursor */
export async function listMembers(
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<MemberObject>> {
  const filters = { list: "members", workspaceId };
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor, filters);
  const { rows } = await db().query<MemberRow>({
    text: `${SELECT} where m.workspace_id = $1 and ($2::timestamptz is null or (m.created_at, m.user_id) > ($2, $3))
           order by m.created_at, m.user_id limit $4`,
    values: [workspaceId, after?.createdAt ?? null, after?.id ?? null, page.limit + 1],
  });
  const keysetOf = (row: MemberRow) => ({ createdAt: row.created_at, id: row.user_id });
  return toPage(rows, page.limit, filters, keysetOf, presentMember);
}

/** @throws ApiError NOT_FOUND, for somebody of another workspace too */
export async function getMember(tx: Db, workspaceId: string, userId: string): Promise<MemberObject> {
  const { rows } = await tx.query<MemberRow>({
    text: `${SELECT} where m.workspace_id = $1 and m.user_id = $2`,
    values: [workspaceId, userId],
  });
  if (!rows[0]) throw new ApiError("NOT_FOUND", "There is no such member.");
  return presentMember(rows[0]);
}

function presentMember({ created_at: joinedAt, ...row }: MemberRow): MemberObject {
  return { ...row, joined_at: joinedAt.toISOString() };
}
