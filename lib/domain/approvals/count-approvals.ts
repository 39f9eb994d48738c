import { bigint, integer, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const COUNTED_MAX = 100;

const countPending = defineStatement({
  name: "count_approvals",
  params: { workspaceId: uuid, limit: bigint },
  row: { pending: integer },
  sql: `select count(*)::integer as pending from (
          select 1 from approvals where workspace_id = $1 and status = 'pending' limit $2) as waiting`,
});

/** Returns how many requests of the workspace wait for a decision, counting up to 100. */
export async function countApprovals(workspaceId: string): Promise<{ pending: number }> {
  return countPending.one(db(), { workspaceId, limit: COUNTED_MAX });
}
