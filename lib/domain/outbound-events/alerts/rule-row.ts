import { ApiError } from "#lib/contract/api-error";
import type { AlertKind, AlertRuleObject } from "#lib/contract/outbound-event";
import type { Db } from "#lib/platform/db/pool";

interface RuleRow {
  id: string;
  workflow_id: string | null;
  workflow_name: string | null;
  kind: AlertKind;
  threshold: number;
  window_minutes: number;
  min_runs: number;
  is_enabled: boolean;
  firing: AlertRuleObject["firing"];
}

/** Rules of a workspace, oldest first; one alone where an id is given. */
export async function readRules(from: Db, workspaceId: string, ruleId: string | null): Promise<AlertRuleObject[]> {
  const { rows } = await from.query<RuleRow>({
    text: `select r.id, r.workflow_id, w.name as workflow_name, r.kind, r.threshold, r.window_minutes, r.min_runs,
             r.is_enabled, (
               select coalesce(json_agg(json_build_object('workflow_id', f.workflow_id, 'workflow_name', fw.name,
                   'value', f.value, 'fired_at', f.fired_at) order by f.fired_at), '[]')
               from alert_firings f join workflows fw on fw.id = f.workflow_id where f.rule_id = r.id) as firing
           from alert_rules r left join workflows w on w.id = r.workflow_id
           where r.workspace_id = $1 and ($2::uuid is null or r.id = $2) order by r.created_at, r.id`,
    values: [workspaceId, ruleId],
  });
  return rows.map(({ id, firing, ...rest }) => ({
    rule_id: id,
    ...rest,
    firing: firing.map((one) => ({ ...one, fired_at: new Date(one.fired_at).toISOString() })),
  }));
}

/** @throws ApiError NOT_FOUND: unknown or another workspace's, both alike */
export async function getRule(from: Db, workspaceId: string, ruleId: string): Promise<AlertRuleObject> {
  const [rule] = await readRules(from, workspaceId, ruleId);
  if (!rule) throw new ApiError("NOT_FOUND", "There is no such alert rule.");
  return rule;
}
