import type { MemberObject } from "#lib/contract/workspace";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getMember } from "#lib/domain/workspaces/list-members";
import { assertOwnerRemains, assertWithinRole, lockMembers } from "#lib/domain/workspaces/lock-members";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

interface RemoveMemberRequest {
  workspaceId: string;
  /** The person who asks. */
  actor: Actor;
  actorUserId: string;
  /** The member to remove. */
  userId: string;
}

/**
 * Removes a member from a workspace: their next request there is refused, and the unused invites they created end with
 * the membership. Their keys stay, because integrations depend on them (decisions, Workspaces).
 * @throws ApiError FORBIDDEN (below admin, or for a member above one's own role), NOT_FOUND, LAST_OWNER
 */
export async function removeMember({ workspaceId, actor, actorUserId, userId }: RemoveMemberRequest): Promise<void> {
  await prismaTransaction(async (tx) => {
    const own = await lockMembers(tx, workspaceId, actorUserId, "admin");
    const member = await getMember(tx, workspaceId, userId);
    assertWithinRole(own, member.role);
    await takeOut(tx, workspaceId, member, actor, "member.removed");
  });
}

/**
 * Lets a member in any role leave by themselves.
 * @throws ApiError FORBIDDEN if they have already left, LAST_OWNER
 */
export async function leaveWorkspace(request: Omit<RemoveMemberRequest, "actorUserId">): Promise<void> {
  const { workspaceId, actor, userId } = request;
  await prismaTransaction(async (tx) => {
    await lockMembers(tx, workspaceId, userId, "viewer");
    await takeOut(tx, workspaceId, await getMember(tx, workspaceId, userId), actor, "member.left");
  });
}

async function takeOut(
  tx: PrismaTx,
  workspaceId: string,
  member: MemberObject,
  actor: Actor,
  action: string,
): Promise<void> {
  const { user_id: userId, name, role } = member;
  if (role === "owner") await assertOwnerRemains(tx.prisma, workspaceId, userId);
  await tx.prisma.workspaceMember.deleteMany({ where: { workspaceId, userId } });
  // A removed member must not come back through a link they created themselves.
  await tx.prisma.workspaceInvite.deleteMany({ where: { workspaceId, invitedBy: userId, acceptedAt: null } });
  const entry = { action, objectType: "user", objectId: userId, details: { name, role } };
  await recordAudit(tx, { ...entry, workspaceId, actor });
}
