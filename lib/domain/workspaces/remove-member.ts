import { ApiError, type FieldError } from "#lib/contract/error/api-error";
import { hasRole } from "#lib/contract/workspace/roles";
import type { MemberKeys, MemberObject } from "#lib/contract/workspace/workspace";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getMember } from "#lib/domain/workspaces/list-members";
import { assertOwnerRemains, assertWithinRole, findMemberRole, lockMembers } from "#lib/domain/workspaces/lock-members";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

interface RemoveMemberRequest {
  workspaceId: string;
  /** The person who asks. */
  actor: Actor;
  actorUserId: string;
  /** The member to remove. */
  userId: string;
  /** What happens to the keys that they created. Revoked if left out. */
  keys?: MemberKeys | undefined;
}

/**
 * Removes a member from a workspace: their next request there is refused, and the unused invites they created end with
 * the membership. Their keys are revoked, or move to another administrator, in the same transaction (decisions,
 * Workspaces).
 * @throws ApiError FORBIDDEN (below admin, or for a member above one's own role), NOT_FOUND, LAST_OWNER
 */
export async function removeMember(request: RemoveMemberRequest): Promise<void> {
  const { workspaceId, actor, actorUserId, userId, keys } = request;
  await prismaTransaction(async (tx) => {
    const own = await lockMembers(tx, workspaceId, actorUserId, "admin");
    const member = await getMember(tx, workspaceId, userId);
    assertWithinRole(own, member.role);
    await takeOut(tx, { workspaceId, member, actor, action: "member.removed", keys });
  });
}

/**
 * Lets a member in any role leave by themselves.
 * @throws ApiError FORBIDDEN if they have already left, LAST_OWNER
 */
export async function leaveWorkspace(request: Omit<RemoveMemberRequest, "actorUserId">): Promise<void> {
  const { workspaceId, actor, userId, keys } = request;
  await prismaTransaction(async (tx) => {
    await lockMembers(tx, workspaceId, userId, "viewer");
    const member = await getMember(tx, workspaceId, userId);
    await takeOut(tx, { workspaceId, member, actor, action: "member.left", keys });
  });
}

interface Leaving {
  workspaceId: string;
  member: MemberObject;
  actor: Actor;
  action: "member.removed" | "member.left";
  keys?: MemberKeys | undefined;
  /** The provider of single sign-on that no longer lets the member in. */
  provider?: string;
}

/** Ends a membership, in a transaction that has locked the workspace. */
export async function takeOut(
  tx: PrismaTx,
  { workspaceId, member, actor, action, keys, provider }: Leaving,
): Promise<void> {
  const { user_id: userId, name, role } = member;
  if (role === "owner") await assertOwnerRemains(tx.prisma, workspaceId, userId);
  await settleKeys(tx, { workspaceId, actor, userId, keys: keys ?? { fate: "revoke" } });
  await tx.prisma.workspaceMember.deleteMany({ where: { workspaceId, userId } });
  // A removed member must not come back through a link they created themselves.
  await tx.prisma.workspaceInvite.deleteMany({ where: { workspaceId, invitedBy: userId, acceptedAt: null } });
  const entry = {
    action,
    objectType: "user",
    objectId: userId,
    details: { name, role, ...(provider === undefined ? {} : { provider }) },
  };
  await recordAudit(tx, { ...entry, workspaceId, actor });
}

interface LeavingMember {
  workspaceId: string;
  actor: Actor;
  userId: string;
  keys: MemberKeys;
}

/**
 * Revokes the active keys that a leaving member created, or makes another administrator responsible for them: their
 * runs count against that person from then on.
 * @throws ApiError BAD_REQUEST if the other person is not an administrator of the workspace
 */
async function settleKeys(tx: PrismaTx, { workspaceId, actor, userId, keys }: LeavingMember): Promise<void> {
  const isTransfer = keys.fate === "transfer";
  const to = isTransfer ? await getKeyTaker(tx, workspaceId, userId, keys.to_user_id) : null;
  const changed = await tx.prisma.apiKey.updateManyAndReturn({
    where: { workspaceId, createdBy: userId, isActive: true },
    data: isTransfer ? { createdBy: keys.to_user_id } : { isActive: false, revokedAt: new Date() },
    select: { id: true, name: true, prefix: true },
  });
  for (const { id, name, prefix } of changed) {
    const action = isTransfer ? "key.transferred" : "key.revoked";
    const details = { name, prefix, ...(to === null ? {} : { to: to.name, to_user_id: to.userId }) };
    await recordAudit(tx, { workspaceId, actor, action, objectType: "api_key", objectId: id, details });
  }
}

async function getKeyTaker(tx: PrismaTx, workspaceId: string, userId: string, toUserId: string) {
  const role = toUserId === userId ? null : await findMemberRole(tx.prisma, workspaceId, toUserId);
  if (role !== null && hasRole(role, "admin")) {
    const { name } = await getMember(tx, workspaceId, toUserId);
    return { userId: toUserId, name };
  }
  const message = "must be another member with the role admin or owner";
  const details: FieldError[] = [{ field: "keys.to_user_id", pointer: "/keys/to_user_id", code: "custom", message }];
  throw new ApiError("BAD_REQUEST", `keys.to_user_id: ${message}`, { details });
}
