import { ApiError } from "#lib/contract/error/api-error";
import type { TriggerObject, TriggerStatus } from "#lib/contract/trigger/trigger";
import type { ScheduleConfig } from "#lib/core/steps/trigger/trigger-data";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { recheckListeners } from "#lib/domain/connections/recheck-listeners";
import { getTrigger } from "#lib/domain/triggers/activation/get-trigger";
import { firstFire, lockSubscription, readClock } from "#lib/domain/triggers/activation/subscribe";
import { assertNotArchived } from "#lib/domain/workflows/assert-not-archived";
import type { Editor } from "#lib/domain/workflows/create-workflow";
import { lockWorkflow } from "#lib/domain/workflows/lock-workflow";
import { boolean, nullable, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/pool";

const writeStatus = defineStatement({
  name: "set_trigger_status",
  params: {
    workspaceId: uuid,
    id: uuid,
    isActive: boolean,
    now: timestamptz,
    nextAt: nullable(timestamptz),
    forgetsSecret: boolean,
  },
  sql: `update trigger_subscriptions set is_active = $3, anchored_at = case when $3 then $4 else anchored_at end,
          next_at = $5, secret_sealed = case when $6 then null else secret_sealed end, updated_at = now()
        where workspace_id = $1 and id = $2`,
  isPrepared: false,
});

/**
 * Pauses or resumes an activated workflow. A paused webhook is unknown to its callers, and a paused schedule fires
 * nothing. Resuming is an activation: an interval counts from now, and missed moments are not made up for. Setting the
 * current status again changes nothing.
 * @throws ApiError NOT_FOUND, also for a workflow that was never activated; BAD_REQUEST for an archived one
 */
export async function setTriggerStatus(
  editor: Editor,
  workflowId: string,
  status: TriggerStatus,
): Promise<TriggerObject> {
  const { workspaceId, actor } = editor;
  return transaction(async (tx) => {
    const workflow = await lockWorkflow(tx, workspaceId, workflowId);
    if (status === "active") assertNotArchived(workflow);
    const row = await lockSubscription(tx, { workspaceId, workflowId });
    if (!row) throw notActivated();
    if (row.is_active !== (status === "active")) {
      const now = await readClock(tx);
      const isSchedule = status === "active" && row.kind === "schedule";
      const nextAt = isSchedule ? firstFire(row.config as unknown as ScheduleConfig, now, now) : null;
      // A webhook that is created again at the sender brings another secret.
      const forgetsSecret = status === "active" && row.config.brings_secret === true;
      const isActive = status === "active";
      await writeStatus.run(tx, { workspaceId, id: row.id, isActive, now, nextAt, forgetsSecret });
      if (row.connection_id !== null) await recheckListeners(tx, workspaceId, row.connection_id);
      await recordAudit(tx, {
        workspaceId,
        actor,
        action: status === "active" ? "trigger.resumed" : "trigger.paused",
        objectType: "workflow",
        objectId: workflowId,
        details: { subscription_id: row.id },
      });
    }
    const trigger = await getTrigger(workspaceId, workflowId, tx);
    if (!trigger) throw notActivated();
    return trigger;
  });
}

export function notActivated(): ApiError {
  return new ApiError("NOT_FOUND", "This workflow has no activated trigger.");
}
