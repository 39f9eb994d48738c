import { ROLES, type Role } from "#lib/contract/roles";
import type { MemberObject } from "#lib/contract/workspace";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getMember } from "#lib/domain/workspaces/list-members";
import { assertOwnerRemains, assertWithinRole, lockMembers } from "#lib/domain/workspaces/lock-members";
import { enumOf, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";

interface SetMemberRoleRequest {
  workspaceId: string;
  /** Who asks. */
  actor: Actor;
  actorUserId: string;
  /** Whose role it is. */
  userId: string;
  role: Role;
}

const updateRole = defineStatement({
  name: "set_member_role",
  params: { workspaceId: uuid, userId: uuid, role: enumOf(ROLES) },
  sql: "update workspace_members set role = $3 where workspace_id = $1 and user_id = $2",
  isPrepared: false,
});

/**
 * Gives a member another role; it holds from their next request on (decisions, Workspaces).
 * @throws ApiError FORBIDDEN (below admin, or beyond one's own role), NOT_FOUND, LAST_OWNER
 */
export async function setMemberRole(request: SetMemberRoleRequest): Promise<MemberObject> {
  const { workspaceId, actor, actorUserId, userId, role } = request;
  return transaction(async (tx) => {
    const own = await lockMembers(tx, workspaceId, actorUserId, "admin");
    const member = await getMember(tx, workspaceId, userId);
    assertWithinRole(own, member.role);
    assertWithinRole(own, role);
    if (member.role === role) return member;
    if (member.role === "owner") await assertOwnerRemains(tx, workspaceId, userId);
    await updateRole.run(tx, { workspaceId, userId, role });
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
