import { ApiError } from "#lib/contract/api-error";
import { recordAudit } from "#lib/domain/audit/record-audit";
import type { Editor } from "#lib/domain/workflows/create-workflow";
import { lockWorkflow } from "#lib/domain/workflows/lock-workflow";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

/**
 * Deletes a workflow softly. Its action is archived and loses its release: agents see it as never published, while
 * the slug stays reserved. Its trigger starts nothing any more; runs in flight go on with their version.
 * @throws ApiError NOT_FOUND, WORKFLOW_IN_USE while the action is active, unless `archiveAction`
 */
export async function deleteWorkflow(
  editor: Editor,
  workflowId: string,
  options: { archiveAction: boolean },
): Promise<{ workflow_id: string; deleted: true }> {
  const { workspaceId, actor } = editor;
  return transaction(async (tx) => {
    const workflow = await lockWorkflow(tx, workspaceId, workflowId);
    const { rows } = await tx.query<{ slug: string; status: string }>({
      text: "select slug, status from actions where workspace_id = $1 and workflow_id = $2 for update",
      values: [workspaceId, workflowId],
    });
    const action = rows[0];
    if (action?.status === "active" && !options.archiveAction) {
      throw new ApiError(
        "WORKFLOW_IN_USE",
        `The action ${action.slug} is active and its callers depend on this workflow. Archive it first, or set archive_action.`,
        { details: { slug: action.slug, status: action.status } },
      );
    }
    await tx.query({
      text: `update actions set status = 'archived', current_release_id = null, updated_at = now()
             where workspace_id = $1 and workflow_id = $2`,
      values: [workspaceId, workflowId],
    });
    await stopTrigger(tx, workspaceId, workflowId);
    await tx.query({
      text: "update workflows set deleted_at = now(), updated_at = now() where workspace_id = $1 and id = $2",
      values: [workspaceId, workflowId],
    });
    const details = { name: workflow.name, slug: action?.slug ?? null };
    await recordAudit(tx, {
      ...{ workspaceId, actor, details },
      action: "workflow.deleted",
      objectType: "workflow",
      objectId: workflowId,
    });
    return { workflow_id: workflowId, deleted: true as const };
  });
}

/** It listens no more, and its connection can be deleted. The service is told by a worker. */
async function stopTrigger(tx: Db, workspaceId: string, workflowId: string): Promise<void> {
  await tx.query({
    text: `with stopped as (
             update trigger_subscriptions s set is_active = false, next_at = null, connection_id = null, updated_at = now()
             from trigger_subscriptions before
             where before.id = s.id and s.workspace_id = $1 and s.workflow_id = $2
             returning s.id, before.connection_id)
           select recheck_listeners($1, connection_id) from stopped where connection_id is not null`,
    values: [workspaceId, workflowId],
  });
}
