import { ApiError } from "#lib/contract/api-error";
import { recordAudit } from "#lib/domain/audit/record-audit";
import type { Editor } from "#lib/domain/workflows/create-workflow";
import { lockWorkflow } from "#lib/domain/workflows/lock-workflow";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

/**
 * Puts a workflow away: it leaves the lists, its action is archived (callers get 409), its trigger starts nothing. Its
 * draft, versions and runs stay, and runs in flight go on. Archiving it twice changes nothing.
 * @throws ApiError NOT_FOUND, WORKFLOW_IN_USE while the action is active, unless `archiveAction`
 */
export async function archiveWorkflow(
  editor: Editor,
  workflowId: string,
  options: { archiveAction: boolean },
): Promise<{ workflow_id: string; name: string }> {
  const { workspaceId } = editor;
  return transaction(async (tx) => {
    const workflow = await lockWorkflow(tx, workspaceId, workflowId);
    if (workflow.isArchived) return { workflow_id: workflowId, name: workflow.name };
    const { rows } = await tx.query<{ slug: string; status: string }>({
      text: "select slug, status from actions where workspace_id = $1 and workflow_id = $2 for no key update",
      values: [workspaceId, workflowId],
    });
    const action = rows[0];
    if (action?.status === "active" && !options.archiveAction) {
      throw new ApiError(
        "WORKFLOW_IN_USE",
        `The action ${action.slug} is active and its callers depend on this workflow.`,
        {
          details: { slug: action.slug, status: action.status },
        },
      );
    }
    await tx.query({
      text: `update actions set status = 'archived', updated_at = now()
             where workspace_id = $1 and workflow_id = $2 and status <> 'archived'`,
      values: [workspaceId, workflowId],
    });
    await pauseTrigger(tx, workspaceId, workflowId);
    await setArchived(tx, editor, workflowId, true);
    return { workflow_id: workflowId, name: workflow.name };
  });
}

/**
 * Brings an archived workflow back to the lists. Its action comes back paused and its trigger stays paused: that it runs
 * again is said by a person, once more.
 * @throws ApiError NOT_FOUND
 */
export async function restoreWorkflow(
  editor: Editor,
  workflowId: string,
): Promise<{ workflow_id: string; name: string }> {
  const { workspaceId } = editor;
  return transaction(async (tx) => {
    const workflow = await lockWorkflow(tx, workspaceId, workflowId);
    if (!workflow.isArchived) return { workflow_id: workflowId, name: workflow.name };
    await tx.query({
      text: `update actions set status = 'paused', updated_at = now()
             where workspace_id = $1 and workflow_id = $2 and status = 'archived'`,
      values: [workspaceId, workflowId],
    });
    await setArchived(tx, editor, workflowId, false);
    return { workflow_id: workflowId, name: workflow.name };
  });
}

/** As pausing does: it keeps its connection, and a worker tells the service that nothing listens any more. */
async function pauseTrigger(tx: Db, workspaceId: string, workflowId: string): Promise<void> {
  await tx.query({
    text: `with paused as (
             update trigger_subscriptions set is_active = false, next_at = null, updated_at = now()
             where workspace_id = $1 and workflow_id = $2 returning connection_id)
           select recheck_listeners($1, connection_id) from paused where connection_id is not null`,
    values: [workspaceId, workflowId],
  });
}

async function setArchived(tx: Db, { workspaceId, actor }: Editor, workflowId: string, isArchived: boolean) {
  await tx.query({
    text: "update workflows set archived_at = case when $3 then now() end where workspace_id = $1 and id = $2",
    values: [workspaceId, workflowId, isArchived],
  });
  await recordAudit(tx, {
    workspaceId,
    actor,
    action: isArchived ? "workflow.archived" : "workflow.restored",
    objectType: "workflow",
    objectId: workflowId,
    details: {},
  });
}
