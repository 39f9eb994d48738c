import { ACTION_STATUSES } from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import { recordAudit } from "#lib/domain/audit/record-audit";
import type { Editor } from "#lib/domain/workflows/create-workflow";
import { lockWorkflow } from "#lib/domain/workflows/lock-workflow";
import { enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

const lockAction = defineStatement({
  name: "lock_action_to_archive",
  params: { workspaceId: uuid, workflowId: uuid },
  row: { slug: text, status: enumOf(ACTION_STATUSES) },
  sql: "select slug, status from actions where workspace_id = $1 and workflow_id = $2 for no key update",
  isPrepared: false,
});

/**
 * Archives a workflow: it leaves the lists, its action is archived (callers get 409), and its trigger starts nothing.
 * Its draft, versions and runs stay, and runs in flight continue. Archiving it twice changes nothing.
 * @throws ApiError NOT_FOUND, WORKFLOW_IN_USE while the action is active, unless `archiveAction`
 */
export async function archiveWorkflow(
  editor: Editor,
  workflowId: string,
  options: { archiveAction: boolean },
): Promise<{ workflow_id: string; name: string }> {
  const { workspaceId } = editor;
  return prismaTransaction(async (tx) => {
    const workflow = await lockWorkflow(tx, workspaceId, workflowId);
    if (workflow.isArchived) return { workflow_id: workflowId, name: workflow.name };
    const action = await lockAction.first(tx, { workspaceId, workflowId });
    if (action?.status === "active" && !options.archiveAction) {
      throw new ApiError(
        "WORKFLOW_IN_USE",
        `The action ${action.slug} is active, and its callers depend on this workflow.`,
        {
          details: { slug: action.slug, status: action.status },
        },
      );
    }
    await tx.prisma.action.updateMany({
      where: { workspaceId, workflowId, status: { not: "archived" } },
      data: { status: "archived", updatedAt: new Date() },
    });
    await pauseTrigger.run(tx, { workspaceId, workflowId });
    await setArchived(tx, editor, workflowId, true);
    return { workflow_id: workflowId, name: workflow.name };
  });
}

/**
 * Restores an archived workflow to the lists. Its action and its trigger come back paused, because a person decides
 * again that it runs.
 * @throws ApiError NOT_FOUND
 */
export async function restoreWorkflow(
  editor: Editor,
  workflowId: string,
): Promise<{ workflow_id: string; name: string }> {
  const { workspaceId } = editor;
  return prismaTransaction(async (tx) => {
    const workflow = await lockWorkflow(tx, workspaceId, workflowId);
    if (!workflow.isArchived) return { workflow_id: workflowId, name: workflow.name };
    await tx.prisma.action.updateMany({
      where: { workspaceId, workflowId, status: "archived" },
      data: { status: "paused", updatedAt: new Date() },
    });
    await setArchived(tx, editor, workflowId, false);
    return { workflow_id: workflowId, name: workflow.name };
  });
}

/** Like a pause: the trigger keeps its connection, and a worker ends the subscription at the service. */
const pauseTrigger = defineStatement({
  name: "pause_trigger_of_workflow",
  params: { workspaceId: uuid, workflowId: uuid },
  sql: `with paused as (
          update trigger_subscriptions set is_active = false, next_at = null, updated_at = now()
          where workspace_id = $1 and workflow_id = $2 returning connection_id)
        select recheck_listeners($1, connection_id) from paused where connection_id is not null`,
  isPrepared: false,
});

async function setArchived(tx: PrismaTx, { workspaceId, actor }: Editor, workflowId: string, isArchived: boolean) {
  await tx.prisma.workflow.updateMany({
    where: { workspaceId, id: workflowId },
    data: { archivedAt: isArchived ? new Date() : null },
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
