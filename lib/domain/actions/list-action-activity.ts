import type { ActionActivity } from "#lib/contract/action/action";
import { MACHINE_REASONS } from "#lib/contract/error/error-reasons";
import { FAILED_RUN_STATUSES, MEASURED_RUN_STATUSES } from "#lib/contract/run/run";
import { array, boolean, float8, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";

const DAYS = 7;
/** How many of an action's newest runs are read: a bounded index walk, whatever the traffic. */
const LOOKED_AT = 5_000;

const selectActivity = defineStatement({
  name: "list_action_activity",
  params: { workspaceId: uuid, slugs: array(text) },
  row: { slug: text, calls: integer, has_more: boolean, error_rate: nullable(float8), p95_ms: nullable(integer) },
  sql: `select a.slug, r.calls, r.looked_at >= ${LOOKED_AT} as has_more, r.failed::float8 / nullif(r.ended, 0) as error_rate,
          round(r.p95_ms)::int as p95_ms
        from actions a
        cross join lateral (
          select count(*)::int as looked_at,
            count(*) filter (where action_id is not null)::int as calls,
            count(*) filter (where is_measured)::int as ended,
            count(*) filter (where is_measured and status in ${sqlSet(FAILED_RUN_STATUSES)})::int as failed,
            percentile_cont(0.95) within group (order by extract(epoch from completed_at - started_at) * 1000)
              filter (where is_measured and started_at is not null) as p95_ms
          from (
            select action_id, status, started_at, completed_at,
              action_id is not null and not dry_run and status in ${sqlSet(MEASURED_RUN_STATUSES)}
                and coalesce(error ->> 'reason', '') not in ${sqlSet(MACHINE_REASONS)} as is_measured
            from runs
            where workspace_id = a.workspace_id and workflow_id <= a.workflow_id
              and (workflow_id, created_at) > (a.workflow_id, now() - interval '${DAYS} days')
            order by workflow_id desc, created_at desc limit ${LOOKED_AT}) newest
        ) r
        where a.workspace_id = $1 and a.slug = any($2)`,
});

/**
 * Returns how often actions were called in the last seven days, how many of the calls failed, and how long they took.
 * Reads only the newest runs; `has_more` is set if there were more. Dry runs, and runs that failed because of the machine,
 * are calls that neither fail nor take time.
 * Slugs that the workspace does not have are left out. The order leaves the planner only the workflows' index.
 */
export async function listActionActivity(
  workspaceId: string,
  slugs: readonly string[],
): Promise<{ days: number; data: ActionActivity[] }> {
  return { days: DAYS, data: await selectActivity.all(db(), { workspaceId, slugs }) };
}
