import type { MembershipObject } from "#lib/contract/workspace";
import { db } from "#lib/platform/db/pool";

/** The workspaces a person belongs to, by name. All of them: one is invited into few, and may own ten. */
export async function listWorkspaces(userId: string): Promise<MembershipObject[]> {
  const { rows } = await db().query<MembershipObject>({
    text: `select w.id as workspace_id, w.slug, w.name, w.plan, m.role
           from workspace_members m join workspaces w on w.id = m.workspace_id
           where m.user_id = $1 order by lower(w.name), w.id`,
    values: [userId],
  });
  return rows;
}
