import type { MembersWithoutTwoStep } from "#lib/contract/workspace/workspace";
import { bigint, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** A dialog lists them, so it shows the first of many. */
const SHOWN_MAX = 50;

const selectMembers = defineStatement({
  name: "list_members_without_two_step",
  params: { workspaceId: uuid, limit: bigint },
  row: { user_id: uuid, name: text, email: text, total: bigint },
  sql: `select u.id as user_id, u.name, u.email, count(*) over () as total
        from workspace_members m join users u on u.id = m.user_id
        where m.workspace_id = $1 and not has_two_step(u.id)
        order by lower(u.name), u.id limit $2`,
  isPrepared: false,
});

/** Lists the members without a second factor, by name. A workspace that requires one keeps them out. */
export async function listMembersWithoutTwoStep(workspaceId: string): Promise<MembersWithoutTwoStep> {
  const rows = await selectMembers.all(db(), { workspaceId, limit: SHOWN_MAX });
  return { data: rows.map(({ total: _, ...member }) => member), total: rows[0]?.total ?? 0 };
}
