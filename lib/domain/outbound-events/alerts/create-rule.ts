import { ApiError } from "#lib/contract/error/api-error";
import { type AlertKind, type AlertRuleObject, EVENT_LIMITS } from "#lib/contract/event/outbound-event";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getRule } from "#lib/domain/outbound-events/alerts/rule-row";
import { lockWorkspace } from "#lib/domain/workspaces/lock-workspace";
import { type PrismaDb, prismaTransaction } from "#lib/platform/db/prisma";
import { uuidv7 } from "#lib/support/ids";

interface NewRule {
  workspaceId: string;
  userId: string;
  actor: Actor;
  /** Null means every workflow, each one separately. */
  workflowId: string | null;
  kind: AlertKind;
  threshold: number;
  windowMinutes: number;
  minRuns: number;
}

/** @throws ApiError BAD_REQUEST above the limit of rules, NOT_FOUND for the workflow */
export async function createRule(request: NewRule): Promise<AlertRuleObject> {
  const { workspaceId, workflowId, kind, threshold, windowMinutes, minRuns } = request;
  const id = uuidv7();
  return prismaTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    if (workflowId !== null) await assertWorkflowExists(tx.prisma, workspaceId, workflowId);
    if ((await tx.prisma.alertRule.count({ where: { workspaceId } })) >= EVENT_LIMITS.rulesPerWorkspace) {
      throw new ApiError("BAD_REQUEST", `A workspace can have at most ${EVENT_LIMITS.rulesPerWorkspace} alert rules.`);
    }
    await tx.prisma.alertRule.create({
      data: { id, workspaceId, workflowId, kind, threshold, windowMinutes, minRuns, createdBy: request.userId },
    });
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

async function assertWorkflowExists(prisma: PrismaDb, workspaceId: string, workflowId: string): Promise<void> {
  const where = { workspaceId, id: workflowId, deletedAt: null };
  if (await prisma.workflow.findFirst({ where, select: { id: true } })) return;
  throw new ApiError("NOT_FOUND", "There is no such workflow.");
}
