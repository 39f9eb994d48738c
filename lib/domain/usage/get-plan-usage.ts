import { limitsOfPlan } from "#lib/contract/workspace/plans";
import type { UsageObject } from "#lib/contract/workspace/workspace";
import { countActiveKeys } from "#lib/domain/keys/count-active-keys";
import { runLimits } from "#lib/domain/runs/create/run-limits";
import { env } from "#lib/platform/config/env";
import { bigint, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** The highest count of a month without a limit: the exact number of a million is not worth the wait. */
const COUNTED_AT_MOST = 100_000;

const USAGE = {
  params: { workspaceId: uuid, userId: uuid },
  row: { month: text, runs: bigint, own_runs: bigint, members: bigint, stored: bigint },
  isPrepared: false,
};
const selectLimited = defineStatement({
  ...USAGE,
  name: "get_plan_usage",
  sql: usageSql("select u.runs from usage_months u where u.workspace_id = $1 and u.month = p.month"),
});
/**
 * The month's counter is kept only if there is a limit to enforce (the function create_runs); otherwise the runs are
 * counted.
 */
const selectUnlimited = defineStatement({
  ...USAGE,
  name: "get_unlimited_plan_usage",
  sql: usageSql(`select count(*) from (select 1 from runs r where r.workspace_id = $1 and not r.dry_run
      and r.created_at >= p.month::timestamp at time zone 'UTC' limit ${COUNTED_AT_MOST}) counted`),
});

function usageSql(monthRuns: string): string {
  return `select p.month::text, coalesce((${monthRuns}), 0)::bigint as runs,
      (select count(*) from (select 1 from runs r where r.user_id = $2
         and r.created_at > now() - interval '1 hour' limit ${COUNTED_AT_MOST}) own) as own_runs,
      (select count(*) from workspace_members m where m.workspace_id = $1) as members,
      coalesce((select d.bytes from definition_sizes d where d.workspace_id = $1), 0)::bigint as stored
    from (select date_trunc('month', now() at time zone 'UTC')::date as month) p`;
}

/** Returns what a workspace's plan allows, including the operator's overrides, and how much of it is used. */
export async function getPlanUsage(workspaceId: string, userId: string): Promise<UsageObject> {
  const { plan, ...keys } = await countActiveKeys(db(), workspaceId);
  const limits = runLimits(plan);
  const perWindow = env().REQUESTS_PER_WINDOW ?? limitsOfPlan(plan).requestsPerWindow;
  const selectUsage = limits.perMonth > 0 ? selectLimited : selectUnlimited;
  const { month, runs, own_runs, members, stored } = await selectUsage.one(db(), { workspaceId, userId });
  return {
    plan,
    month,
    runs: { used: runs, limit: limits.perMonth || null },
    own_runs: { used: own_runs, limit: limits.perUserPerHour || null },
    keys,
    members,
    definition_bytes: { used: stored, limit: limitsOfPlan(plan).storedDefinitionBytes },
    requests_per_window: perWindow || null,
  };
}
