import { ApiError } from "#lib/contract/api-error";
import { ALERT_KINDS, type AlertKind, type AlertRuleObject, EVENT_LIMITS } from "#lib/contract/outbound-event";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getRule } from "#lib/domain/outbound-events/alerts/rule-row";
import { lockWorkspace } from "#lib/domain/workspaces/lock-workspace";
import { bigint, enumOf, float8, integer, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";
import { uuidv7 } from "#lib/support/ids";

interface NewRule {
  workspaceId: string;
  userId: string;
  actor: Actor;
  /** Null: every workflow, each by itself. */
  workflowId: string | null;
  kind: AlertKind;
  threshold: number;
  windowMinutes: number;
  minRuns: number;
}

const findWorkflow = defineStatement({
  name: "find_workflow_of_alert",
  params: { workflowId: uuid, workspaceId: uuid },
  row: { id: uuid },
  sql: "select id from workflows where id = $1 and workspace_id = $2 and deleted_at is null",
  isPrepared: false,
});

const insertRule = defineStatement({
  name: "create_alert_rule",
  params: {
    id: uuid,
    workspaceId: uuid,
    workflowId: nullable(uuid),
    kind: enumOf(ALERT_KINDS),
    threshold: float8,
    windowMinutes: integer,
    minRuns: integer,
    userId: uuid,
    rulesMax: bigint,
  },
  sql: `insert into alert_rules (id, workspace_id, workflow_id, kind, threshold, window_minutes, min_runs, created_by)
        select $1, $2, $3, $4, $5, $6, $7, $8
        where (select count(*) from alert_rules where workspace_id = $2) < $9`,
  isPrepared: false,
});

/** @throws ApiError BAD_REQUEST for one rule too many, NOT_FOUND for the workflow */
export async function createRule(request: NewRule): Promise<AlertRuleObject> {
  const { workspaceId, workflowId, kind, threshold, windowMinutes, minRuns } = request;
  const id = uuidv7();
  return transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    if (workflowId !== null && !(await findWorkflow.first(tx, { workflowId, workspaceId }))) {
      throw new ApiError("NOT_FOUND", "There is no such workflow.");
    }
    const added = await insertRule.run(tx, {
      id,
      workspaceId,
      workflowId,
      kind,
      threshold,
      windowMinutes,
      minRuns,
      userId: request.userId,
      rulesMax: EVENT_LIMITS.rulesPerWorkspace,
    });
    if (added !== 1) {
      throw new ApiError("BAD_REQUEST", `A workspace has at most ${EVENT_LIMITS.rulesPerWorkspace} alert rules.`);
    }
    await recordAudit(tx, {
      workspaceId,
      actor: request.actor,
      action: "alert_rule.created",
      objectType: "alert_rule",
      objectId: id,
      details: { kind, threshold, workflow_id: workflowId },
    });
    return getRule(tx, workspaceId, id);
  });
}
