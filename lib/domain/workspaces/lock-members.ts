import { ApiError } from "#lib/contract/error/api-error";
import { hasRole, type Role } from "#lib/contract/workspace/roles";
import { lockWorkspace } from "#lib/domain/workspaces/lock-workspace";
import type { PrismaDb, PrismaTx } from "#lib/platform/db/prisma";

/**
 * Locks a workspace's memberships until the transaction ends, and returns the person's current role: the role their
 * request came with may have been removed since.
 * @throws ApiError FORBIDDEN below `required`, or if they have left meanwhile
 */
export async function lockMembers(tx: PrismaTx, workspaceId: string, userId: string, required: Role): Promise<Role> {
  // Two owners who make each other editors at the same moment would leave a workspace without one.
  await lockWorkspace(tx, workspaceId);
  const role = await findMemberRole(tx.prisma, workspaceId, userId);
  if (role !== null && hasRole(role, required)) return role;
  const yours = role === null ? "you are no longer a member" : `yours is ${role}`;
  throw new ApiError("role_too_low", `You need the ${required} role or higher; ${yours}.`, {
    details: { required_role: required, role },
  });
}

export async function findMemberRole(prisma: PrismaDb, workspaceId: string, userId: string): Promise<Role | null> {
  const where = { workspaceId_userId: { workspaceId, userId } };
  const member = await prisma.workspaceMember.findUnique({ where, select: { role: true } });
  return member ? (member.role as Role) : null;
}

/**
 * Checks that a member gives or takes away no role above their own.
 * @throws ApiError FORBIDDEN
 */
export function assertWithinRole(own: Role, role: Role): void {
  if (hasRole(own, role)) return;
  throw new ApiError("role_too_low", `Only a member with the role ${role} can do this; yours is ${own}.`, {
    details: { required_role: role, role: own },
  });
}

/** @throws ApiError LAST_OWNER */
export async function assertOwnerRemains(prisma: PrismaDb, workspaceId: string, leavingUserId: string): Promise<void> {
  const where = { workspaceId, role: "owner", userId: { not: leavingUserId } };
  if (!(await prisma.workspaceMember.findFirst({ where, select: { userId: true } }))) {
    throw new ApiError("LAST_OWNER", "A workspace needs an owner. Make someone else an owner first.");
  }
}
