import {
  ACTION_STATUSES,
  ACTION_TRANSITIONS,
  type ActionDetailObject,
  type ActionStatus,
} from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import { getAction } from "#lib/domain/actions/get-action";
import { actionNotFound } from "#lib/domain/actions/get-runnable-action";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { workflowArchived } from "#lib/domain/workflows/assert-not-archived";
import { boolean, enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface SetActionStatusRequest {
  workspaceId: string;
  slug: string;
  status: ActionStatus;
  actor: Actor;
}

const lockAction = defineStatement({
  name: "lock_action",
  params: { workspaceId: uuid, slug: text },
  row: { id: uuid, status: enumOf(ACTION_STATUSES), is_archived: boolean },
  sql: `select a.id, a.status, w.archived_at is not null as is_archived
        from actions a join workflows w on w.id = a.workflow_id
        where a.workspace_id = $1 and a.slug = $2 for no key update of a`,
  isPrepared: false,
});

/**
 * Pauses, archives or restores an action; its slug stays reserved (decisions, Actions). Existing runs continue. Setting
 * the current status again changes nothing.
 * @throws ApiError ACTION_NOT_FOUND; BAD_REQUEST for a transition that is not allowed, and while its workflow is
 * archived
 */
export async function setActionStatus(request: SetActionStatusRequest): Promise<ActionDetailObject> {
  const { workspaceId, slug, status, actor } = request;
  return prismaTransaction(async (tx) => {
    const action = await lockAction.first(tx, { workspaceId, slug });
    if (!action) throw actionNotFound(slug);
    if (action.status === status) return getAction(workspaceId, slug, tx);
    if (!ACTION_TRANSITIONS[action.status].includes(status)) {
      const allowed = ACTION_TRANSITIONS[action.status].join(" or ");
      throw new ApiError("BAD_REQUEST", `status: an action that is ${action.status} can only become ${allowed}`);
    }
    if (status === "active" && action.is_archived) throw workflowArchived();
    await tx.prisma.action.updateMany({
      where: { workspaceId, id: action.id, status: action.status },
      data: { status, updatedAt: new Date() },
    });
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: `action.${status}`,
      objectType: "action",
      objectId: action.id,
      details: { slug, from: action.status, to: status },
    });
    return getAction(workspaceId, slug, tx);
  });
}
