import { ApiError } from "#lib/contract/error/api-error";
import type { Role } from "#lib/contract/workspace/roles";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { getInvite, type Invite } from "#lib/domain/workspaces/invites/find-invite";
import { findMemberRole } from "#lib/domain/workspaces/lock-members";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

interface Joining {
  userId: string;
  name: string;
}

/**
 * Adds a person who has an account to the workspace of an invite.
 * @throws ApiError FORBIDDEN if the invite is not open or is for another address
 */
export async function acceptInvite(token: string, userId: string): Promise<{ workspaceId: string; role: Role }> {
  return prismaTransaction(async (tx) => {
    const user = await tx.prisma.user.findUnique({ where: { id: userId }, select: { email: true, name: true } });
    if (!user) throw new ApiError("not_signed_in", "Sign in to continue.");
    const invite = await getInvite(tx, token, user.email);
    const role = await joinWorkspace(tx, invite, { userId, name: user.name });
    return { workspaceId: invite.workspaceId, role };
  });
}

/** Uses up an invite that the caller's transaction has locked. A member keeps their current role. */
export async function joinWorkspace(
  tx: PrismaTx,
  invite: Pick<Invite, "id" | "workspaceId" | "role">,
  { userId, name }: Joining,
): Promise<Role> {
  const { id, workspaceId, role } = invite;
  const joined = await tx.prisma.workspaceMember.createMany({
    data: { workspaceId, userId, role },
    skipDuplicates: true,
  });
  await tx.prisma.workspaceInvite.updateMany({ where: { workspaceId, id }, data: { acceptedAt: new Date() } });
  if (joined.count === 0) return (await findMemberRole(tx.prisma, workspaceId, userId)) ?? role;
  const entry = { action: "member.joined" as const, objectType: "user", objectId: userId, details: { name, role } };
  await recordAudit(tx, { ...entry, workspaceId, actor: { type: "user", id: userId, name } });
  return role;
}
