import type { AlertRuleObject } from "#lib/contract/outbound-event";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getRule } from "#lib/domain/outbound-events/alerts/rule-row";
import { boolean, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";

interface RuleReference {
  workspaceId: string;
  ruleId: string;
}

const switchRow = defineStatement({
  name: "set_alert_rule",
  params: { ruleId: uuid, isEnabled: boolean },
  sql: "update alert_rules set is_enabled = $2, evaluated_at = '-infinity' where id = $1",
  isPrepared: false,
});

const forgetFirings = defineStatement({
  name: "forget_alert_firings",
  params: { ruleId: uuid },
  sql: "delete from alert_firings where rule_id = $1",
  isPrepared: false,
});

const deleteRow = defineStatement({
  name: "delete_alert_rule",
  params: { ruleId: uuid },
  sql: "delete from alert_rules where id = $1",
  isPrepared: false,
});

/** Switches a rule on or off. What it had fired is forgotten: it fires anew. @throws ApiError NOT_FOUND */
export async function setRule(
  { workspaceId, ruleId }: RuleReference,
  isEnabled: boolean,
  actor: Actor,
): Promise<AlertRuleObject> {
  return transaction(async (tx) => {
    await getRule(tx, workspaceId, ruleId);
    await switchRow.run(tx, { ruleId, isEnabled });
    await forgetFirings.run(tx, { ruleId });
    const action = isEnabled ? "alert_rule.enabled" : "alert_rule.disabled";
    await recordAudit(tx, { workspaceId, actor, action, objectType: "alert_rule", objectId: ruleId });
    return getRule(tx, workspaceId, ruleId);
  });
}

/** @throws ApiError NOT_FOUND */
export async function deleteRule(
  { workspaceId, ruleId }: RuleReference,
  actor: Actor,
): Promise<{ rule_id: string; deleted: true }> {
  return transaction(async (tx) => {
    await getRule(tx, workspaceId, ruleId);
    await deleteRow.run(tx, { ruleId });
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "alert_rule.deleted",
      objectType: "alert_rule",
      objectId: ruleId,
    });
    return { rule_id: ruleId, deleted: true };
  });
}
