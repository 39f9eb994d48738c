import { ApiError } from "#lib/contract/api-error";
import { hasRole, ROLES, type Role } from "#lib/contract/roles";
import { lockWorkspace } from "#lib/domain/workspaces/lock-workspace";
import { enumOf, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

/**
 * Holds a workspace's memberships still until the transaction ends, and says what the person may do at this moment: the
 * role their request came with may have been taken away since.
 * @throws ApiError FORBIDDEN below `required`, or when they have left meanwhile
 */
export async function lockMembers(tx: Db, workspaceId: string, userId: string, required: Role): Promise<Role> {
  // Two owners who make each other editors at the same moment would leave a workspace without one.
  await lockWorkspace(tx, workspaceId);
  const role = await findMemberRole(tx, workspaceId, userId);
  if (role !== null && hasRole(role, required)) return role;
  const yours = role === null ? "you are no member any more" : `yours is ${role}`;
  throw new ApiError("role_too_low", `This needs the role ${required} or higher; ${yours}.`, {
    details: { required_role: required, role },
  });
}

const selectRole = defineStatement({
  name: "find_member_role",
  params: { workspaceId: uuid, userId: uuid },
  row: { role: enumOf(ROLES) },
  sql: "select role from workspace_members where workspace_id = $1 and user_id = $2",
  isPrepared: false,
});

export async function findMemberRole(tx: Db, workspaceId: string, userId: string): Promise<Role | null> {
  const member = await selectRole.first(tx, { workspaceId, userId });
  return member?.role ?? null;
}

/** Nobody gives away, or takes from somebody, more than they have themselves. @throws ApiError FORBIDDEN */
export function assertWithinRole(own: Role, role: Role): void {
  if (hasRole(own, role)) return;
  throw new ApiError("role_too_low", `Only somebody with the role ${role} can do this; yours is ${own}.`, {
    details: { required_role: role, role: own },
  });
}

const selectOtherOwner = defineStatement({
  name: "find_other_owner",
  params: { workspaceId: uuid, userId: uuid },
  row: { user_id: uuid },
  sql: "select user_id from workspace_members where workspace_id = $1 and role = 'owner' and user_id <> $2 limit 1",
  isPrepared: false,
});

/** @throws ApiError LAST_OWNER */
export async function assertOwnerRemains(tx: Db, workspaceId: string, leavingUserId: string): Promise<void> {
  if (!(await selectOtherOwner.first(tx, { workspaceId, userId: leavingUserId }))) {
    throw new ApiError("LAST_OWNER", "A workspace needs an owner. Make somebody else an owner first.");
  }
}
