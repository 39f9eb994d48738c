import type { AlertRuleObject } from "#lib/contract/event/outbound-event";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getRule } from "#lib/domain/outbound-events/alerts/rule-row";
import { boolean, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface RuleReference {
  workspaceId: string;
  ruleId: string;
}

const switchRow = defineStatement({
  name: "set_alert_rule",
  params: { workspaceId: uuid, ruleId: uuid, isEnabled: boolean },
  sql: "update alert_rules set is_enabled = $3, evaluated_at = '-infinity' where workspace_id = $1 and id = $2",
  isPrepared: false,
});

/**
 * Switches a rule on or off. Its earlier alerts are cleared, so it can fire again.
 * @throws ApiError NOT_FOUND
 */
export async function setRule(
  { workspaceId, ruleId }: RuleReference,
  isEnabled: boolean,
  actor: Actor,
): Promise<AlertRuleObject> {
  return prismaTransaction(async (tx) => {
    await getRule(tx, workspaceId, ruleId);
    await switchRow.run(tx, { workspaceId, ruleId, isEnabled });
    await tx.prisma.alertFiring.deleteMany({ where: { ruleId, rule: { workspaceId } } });
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
  return prismaTransaction(async (tx) => {
    await getRule(tx, workspaceId, ruleId);
    await tx.prisma.alertRule.deleteMany({ where: { workspaceId, id: ruleId } });
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
