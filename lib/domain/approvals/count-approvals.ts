import { db } from "#lib/platform/db/pool";

const COUNTED_MAX = 100;

/** How many requests of the workspace wait for a decision; counts no further than 100. */
export async function countApprovals(workspaceId: string): Promise<{ pending: number }> {
  const { rows } = await db().query<{ pending: number }>({
    name: "count_approvals",
    text: `select count(*)::integer as pending from (
             select 1 from approvals where workspace_id = $1 and status = 'pending' limit $2) as waiting`,
    values: [workspaceId, COUNTED_MAX],
  });
  return { pending: rows[0]?.pending ?? 0 };
}
