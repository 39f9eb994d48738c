import { ApiError } from "#lib/contract/error/api-error";
import type { Role } from "#lib/contract/workspace/roles";
import type { MemberObject } from "#lib/contract/workspace/workspace";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getMember } from "#lib/domain/workspaces/list-members";
import { assertOwnerRemains, assertWithinRole, lockMembers } from "#lib/domain/workspaces/lock-members";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

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
    await assertKeptByPeople(tx, { workspaceId, userId, role });
    if (member.role === "owner") await assertOwnerRemains(tx.prisma, workspaceId, userId);
    await tx.prisma.workspaceMember.updateMany({ where: { workspaceId, userId }, data: { role, provider: null } });
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

/**
 * A provider of single sign-on would set the role back at the member's next sign-in. An owner is never kept by one, so
 * making the member an owner takes the membership over.
 */
async function assertKeptByPeople(
  tx: PrismaTx,
  { workspaceId, userId, role }: { workspaceId: string; userId: string; role: Role },
): Promise<void> {
  if (role === "owner") return;
  const where = { workspaceId, userId, provider: { not: null } };
  const kept = await tx.prisma.workspaceMember.findFirst({ where, select: { provider: true } });
  if (!kept) return;
  const message = `This role comes from the provider ${kept.provider}. Change the member's groups there, or the roles of the groups in the settings.`;
  throw new ApiError("BAD_REQUEST", message);
}
