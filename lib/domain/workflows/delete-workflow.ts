import { ACTION_STATUSES } from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import { recordAudit } from "#lib/domain/audit/record-audit";
import type { Editor } from "#lib/domain/workflows/create-workflow";
import { lockWorkflow } from "#lib/domain/workflows/lock-workflow";
import { enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { prismaTransaction } from "#lib/platform/db/prisma";

const lockAction = defineStatement({
  name: "lock_action_to_delete",
  params: { workspaceId: uuid, workflowId: uuid },
  row: { slug: text, status: enumOf(ACTION_STATUSES) },
  sql: "select slug, status from actions where workspace_id = $1 and workflow_id = $2 for update",
  isPrepared: false,
});

/** The trigger no longer listens, and its connection can be deleted. A worker ends the subscription at the service. */
const stopTrigger = defineStatement({
  name: "stop_trigger_of_workflow",
  params: { workspaceId: uuid, workflowId: uuid },
  sql: `with stopped as (
          update trigger_subscriptions s set is_active = false, next_at = null, connection_id = null, updated_at = now()
          from trigger_subscriptions before
          where before.id = s.id and s.workspace_id = $1 and s.workflow_id = $2
          returning s.id, before.connection_id)
        select recheck_listeners($1, connection_id) from stopped where connection_id is not null`,
  isPrepared: false,
});

/**
 * Deletes a workflow softly. Its action is archived and loses its release: agents see it as never published, while the
 * slug stays reserved. Its trigger starts nothing anymore; runs in flight continue with their version.
 * @throws ApiError NOT_FOUND, WORKFLOW_IN_USE while the action is active, unless `archiveAction`
 */
export async function deleteWorkflow(
  editor: Editor,
  workflowId: string,
  options: { archiveAction: boolean },
): Promise<{ workflow_id: string; deleted: true }> {
  const { workspaceId, actor } = editor;
  return prismaTransaction(async (tx) => {
    const workflow = await lockWorkflow(tx, workspaceId, workflowId);
    const action = await lockAction.first(tx, { workspaceId, workflowId });
    if (action?.status === "active" && !options.archiveAction) {
      throw new ApiError(
        "WORKFLOW_IN_USE",
        `The action ${action.slug} is active, and its callers depend on this workflow. Archive it first, or set archive_action.`,
        { details: { slug: action.slug, status: action.status } },
      );
    }
    const now = new Date();
    await tx.prisma.action.updateMany({
      where: { workspaceId, workflowId },
      data: { status: "archived", currentReleaseId: null, updatedAt: now },
    });
    await stopTrigger.run(tx, { workspaceId, workflowId });
    await tx.prisma.workflow.updateMany({
      where: { workspaceId, id: workflowId },
      data: { deletedAt: now, updatedAt: now },
    });
    const details = { name: workflow.name, slug: action?.slug ?? null };
    await recordAudit(tx, {
      workspaceId,
      actor,
      details,
      action: "workflow.deleted",
      objectType: "workflow",
      objectId: workflowId,
    });
    return { workflow_id: workflowId, deleted: true as const };
  });
}
