import { ApiError, type FieldError } from "#lib/contract/api-error";
import { hasRole } from "#lib/contract/roles";
import type { MemberKeys } from "#lib/contract/workspace";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getMember } from "#lib/domain/workspaces/list-members";
import { findMemberRole } from "#lib/domain/workspaces/lock-members";
import type { PrismaTx } from "#lib/platform/db/prisma";

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
export async function settleKeys(tx: PrismaTx, { workspaceId, actor, userId, keys }: LeavingMember): Promise<void> {
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
