import { ApiError } from "#lib/contract/error/api-error";
import { ALERT_KINDS, type AlertRuleObject } from "#lib/contract/event/outbound-event";
import { boolean, enumOf, float8, integer, json, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const selectRules = defineStatement({
  name: "read_alert_rules",
  params: { workspaceId: uuid, ruleId: nullable(uuid) },
  row: {
    id: uuid,
    workflow_id: nullable(uuid),
    workflow_name: nullable(text),
    kind: enumOf(ALERT_KINDS),
    threshold: float8,
    window_minutes: integer,
    min_runs: integer,
    is_enabled: boolean,
    firing: json<AlertRuleObject["firing"]>(),
  },
  sql: `select r.id, r.workflow_id, w.name as workflow_name, r.kind, r.threshold, r.window_minutes, r.min_runs,
          r.is_enabled, (
            select coalesce(json_agg(json_build_object('workflow_id', f.workflow_id, 'workflow_name', fw.name,
                'value', f.value, 'fired_at', f.fired_at) order by f.fired_at), '[]')
            from alert_firings f join workflows fw on fw.id = f.workflow_id where f.rule_id = r.id) as firing
        from alert_rules r left join workflows w on w.id = r.workflow_id
        where r.workspace_id = $1 and ($2::uuid is null or r.id = $2) order by r.created_at, r.id`,
  isPrepared: false,
});

/** Selects the rules of a workspace, oldest first; only one if an id is given. */
export async function readRules(from: Db, workspaceId: string, ruleId: string | null): Promise<AlertRuleObject[]> {
  const rows = await selectRules.all(from, { workspaceId, ruleId });
  return rows.map(({ id, firing, ...rest }) => ({
    rule_id: id,
    ...rest,
    firing: firing.map((one) => ({ ...one, fired_at: new Date(one.fired_at).toISOString() })),
  }));
}

/** @throws ApiError NOT_FOUND for an unknown rule and for one of another workspace alike */
export async function getRule(from: Db, workspaceId: string, ruleId: string): Promise<AlertRuleObject> {
  const [rule] = await readRules(from, workspaceId, ruleId);
  if (!rule) throw new ApiError("NOT_FOUND", "There is no such alert rule.");
  return rule;
}
