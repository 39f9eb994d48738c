import { limitsOfPlan } from "#lib/contract/plans";
import type { UsageObject } from "#lib/contract/workspace";
import { countActiveKeys } from "#lib/domain/keys/count-active-keys";
import { runLimits } from "#lib/domain/runs/create/run-limits";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";

/** Runs of a month without a limit are counted to here: the exact number of a million is worth no wait. */
const COUNTED_AT_MOST = 100_000;

interface UsageRow {
  month: string;
  runs: number;
  own_runs: number;
  members: number;
}

/** What a workspace's plan allows, the operator's overrides applied, and what of it is spent. */
export async function getPlanUsage(workspaceId: string, userId: string): Promise<UsageObject> {
  const { plan, ...keys } = await countActiveKeys(db(), workspaceId);
  const limits = runLimits(plan);
  const perWindow = env().REQUESTS_PER_WINDOW ?? limitsOfPlan(plan).requestsPerWindow;
  const { month, runs, own_runs, members } = await readUsage(workspaceId, userId, limits.perMonth > 0);
  return {
    plan,
    month,
    runs: { used: runs, limit: limits.perMonth || null },
    own_runs: { used: own_runs, limit: limits.perUserPerHour || null },
    keys,
    members,
    requests_per_window: perWindow || null,
  };
}

/** The month's counter moves only where there is a limit to hold (the function create_run); else the runs are counted. */
async function readUsage(workspaceId: string, userId: string, hasLimit: boolean): Promise<UsageRow> {
  const monthRuns = hasLimit
    ? "(select u.runs from usage_months u where u.workspace_id = $1 and u.month = p.month)"
    : `(select count(*) from (select 1 from runs r where r.workspace_id = $1 and not r.dry_run
          and r.created_at >= p.month::timestamp at time zone 'UTC' limit ${COUNTED_AT_MOST}) counted)`;
  const { rows } = await db().query<UsageRow>({
    text: `select p.month::text, coalesce(${monthRuns}, 0) as runs,
             (select count(*) from (select 1 from runs r where r.user_id = $2
                and r.created_at > now() - interval '1 hour' limit ${COUNTED_AT_MOST}) own) as own_runs,
             (select count(*) from workspace_members m where m.workspace_id = $1) as members
           from (select date_trunc('month', now() at time zone 'UTC')::date as month) p`,
    values: [workspaceId, userId],
  });
  const row = rows[0];
  if (!row) throw new Error("usage has no row");
  return row;
}
