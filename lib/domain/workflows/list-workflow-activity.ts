import type { WorkflowActivity } from "#lib/contract/workflow/workflow";
import { array, integer, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const DAYS = 7;
/** The highest bar of the chart; counting further would read an index entry for each run. */
const COUNTED_MAX = 5_000;

const selectActivity = defineStatement({
  name: "list_workflow_activity",
  params: { workspaceId: uuid, workflowIds: array(uuid) },
  row: { workflow_id: uuid, days: array(integer) },
  sql: `select w.id as workflow_id, array_agg(runs.count order by day) as days
        from workflows w
        cross join generate_series(0, ${DAYS - 1}) ago
        cross join lateral (select date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - ago * interval '1 day' as day) d
        cross join lateral (
          select count(*)::int from (
            select 1 from runs
            where workspace_id = w.workspace_id
              and (workflow_id, created_at) >= (w.id, day) and (workflow_id, created_at) < (w.id, day + interval '1 day')
            order by workflow_id, created_at
            limit ${COUNTED_MAX}) counted) runs
        where w.workspace_id = $1 and w.id = any($2::uuid[]) and w.deleted_at is null
        group by w.id`,
});

/**
 * Returns the runs per day of some workflows in the last seven days: one bounded, index-only count for each day.
 * Workflows that the workspace does not have are left out. The order leaves the planner only the workflows' index.
 */
export async function listWorkflowActivity(
  workspaceId: string,
  workflowIds: readonly string[],
): Promise<{ counted_max: number; data: WorkflowActivity[] }> {
  return { counted_max: COUNTED_MAX, data: await selectActivity.all(db(), { workspaceId, workflowIds }) };
}
