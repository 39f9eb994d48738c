import { ApiError } from "#lib/contract/error/api-error";
import type { WorkspaceSettings } from "#lib/contract/workspace/workspace";
import { requireRecentSignIn } from "#lib/domain/accounts/require-recent-sign-in";
import { isTwoStepOn } from "#lib/domain/accounts/two-step/get-two-step";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getWorkspaceSettings } from "#lib/domain/workspaces/get-workspace-settings";
import { lockMembers } from "#lib/domain/workspaces/lock-members";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface TwoStepRule {
  workspaceId: string;
  actor: Actor;
  actorUserId: string;
  sessionId: string | null;
  isRequired: boolean;
}

/**
 * Decides whether a workspace lets members in without two-step verification. It applies from their next request on
 * (`findMember`). An admin without a second factor cannot require one, because the workspace would close to them as
 * well, and possibly to everyone who can open it again.
 * @throws ApiError FORBIDDEN below admin or without a recent sign-in, BAD_REQUEST without an own second factor
 */
export async function setTwoStepRule(rule: TwoStepRule): Promise<WorkspaceSettings> {
  const { workspaceId, actor, actorUserId, sessionId, isRequired } = rule;
  return prismaTransaction(async (tx) => {
    await lockMembers(tx, workspaceId, actorUserId, "admin");
    if (isRequired && !(await isTwoStepOn(tx, actorUserId))) {
      throw new ApiError("BAD_REQUEST", "Set up two-step verification for your own account first.");
    }
    await requireRecentSignIn(tx, actorUserId, sessionId);
    const before = await getWorkspaceSettings(tx.prisma, workspaceId);
    if (before.require_two_step === isRequired) return before;
    const data = { requireTwoStep: isRequired, updatedAt: new Date() };
    await tx.prisma.workspace.updateMany({ where: { id: workspaceId }, data });
    const details = { require_two_step: { from: before.require_two_step, to: isRequired } };
    const entry = { action: "workspace.updated" as const, objectType: "workspace", objectId: workspaceId };
    await recordAudit(tx, { ...entry, workspaceId, actor, details });
    return { ...before, require_two_step: isRequired };
  });
}
