import type { Role } from "#lib/contract/roles";
import type { MemberObject } from "#lib/contract/workspace";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getMember } from "#lib/domain/workspaces/list-members";
import { assertOwnerRemains, assertWithinRole, lockMembers } from "#lib/domain/workspaces/lock-members";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface SetMemberRoleRequest {
  workspaceId: string;
  /** The person who asks. */
  actor: Actor;
  actorUserId: string;
  /** The member to change. */
  userId: string;
  role: Role;
}

/**
 * Changes a member's role, effective from their next request (decisions, Workspaces).
 * @throws ApiError FORBIDDEN (below admin, or beyond one's own role), NOT_FOUND, LAST_OWNER
 */
export async function setMemberRole(request: SetMemberRoleRequest): Promise<MemberObject> {
  const { workspaceId, actor, actorUserId, userId, role } = request;
  return prismaTransaction(async (tx) => {
    const own = await lockMembers(tx, workspaceId, actorUserId, "admin");
    const member = await getMember(tx, workspaceId, userId);
    assertWithinRole(own, member.role);
    assertWithinRole(own, role);
    if (member.role === role) return member;
    if (member.role === "owner") await assertOwnerRemains(tx.prisma, workspaceId, userId);
    await tx.prisma.workspaceMember.updateMany({ where: { workspaceId, userId }, data: { role } });
    await recordAudit(tx, {
      workspaceId,
      actor,
      action: "member.role_changed",
      objectType: "user",
      objectId: userId,
      details: { name: member.name, from: member.role, to: role },
    });
    return { ...member, role };
  });
}
