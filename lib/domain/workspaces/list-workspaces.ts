import { PLANS } from "#lib/contract/workspace/plans";
import { ROLES } from "#lib/contract/workspace/roles";
import type { MembershipObject } from "#lib/contract/workspace/workspace";
import { enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const selectWorkspaces = defineStatement({
  name: "list_workspaces",
  params: { userId: uuid },
  row: { workspace_id: uuid, slug: text, name: text, plan: enumOf(PLANS), role: enumOf(ROLES) },
  sql: `select w.id as workspace_id, w.slug, w.name, w.plan, m.role
        from workspace_members m join workspaces w on w.id = m.workspace_id
        where m.user_id = $1 order by lower(w.name), w.id`,
});

/**
 * Lists all workspaces that a person belongs to, by name. There is no paging: a person is invited to few, and can own
 * ten.
 */
export async function listWorkspaces(userId: string): Promise<MembershipObject[]> {
  return selectWorkspaces.all(db(), { userId });
}
