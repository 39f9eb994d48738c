import type { MemberObject } from "#lib/contract/workspace";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getMember } from "#lib/domain/workspaces/list-members";
import { assertOwnerRemains, assertWithinRole, lockMembers } from "#lib/domain/workspaces/lock-members";
import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

interface RemoveMemberRequest {
  workspaceId: string;
  /** Who asks. */
  actor: Actor;
  actorUserId: string;
  /** Who has to go. */
  userId: string;
}

/**
 * Takes somebody out of a workspace: their next request there is refused, and the invites they made and nobody used
 * end with them. Their keys stay, because integrations depend on them (decisions, Workspaces).
 * @throws ApiError FORBIDDEN (below admin, or somebody above oneself), NOT_FOUND, LAST_OWNER
 */
export async function removeMember({ workspaceId, actor, actorUserId, userId }: RemoveMemberRequest): Promise<void> {
  await transaction(async (tx) => {
    const own = await lockMembers(tx, workspaceId, actorUserId, "admin");
    const member = await getMember(tx, workspaceId, userId);
    assertWithinRole(own, member.role);
    await takeOut(tx, workspaceId, member, actor, "member.removed");
  });
}

/** The same, by oneself and in any role. @throws ApiError FORBIDDEN when one is out already, LAST_OWNER */
export async function leaveWorkspace(request: Omit<RemoveMemberRequest, "actorUserId">): Promise<void> {
  const { workspaceId, actor, userId } = request;
  await transaction(async (tx) => {
    await lockMembers(tx, workspaceId, userId, "viewer");
    await takeOut(tx, workspaceId, await getMember(tx, workspaceId, userId), actor, "member.left");
  });
}

const deleteMember = defineStatement({
  name: "remove_member",
  params: { workspaceId: uuid, userId: uuid },
  sql: "delete from workspace_members where workspace_id = $1 and user_id = $2",
  isPrepared: false,
});

const deleteTheirInvites = defineStatement({
  name: "delete_invites_of_member",
  params: { workspaceId: uuid, userId: uuid },
  sql: "delete from workspace_invites where workspace_id = $1 and invited_by = $2 and accepted_at is null",
  isPrepared: false,
});

async function takeOut(tx: Db, workspaceId: string, member: MemberObject, actor: Actor, action: string): Promise<void> {
  const { user_id: userId, name, role } = member;
  if (role === "owner") await assertOwnerRemains(tx, workspaceId, userId);
  await deleteMember.run(tx, { workspaceId, userId });
  // A removed member must not come back through a link they made for themselves.
  await deleteTheirInvites.run(tx, { workspaceId, userId });
  const entry = { action, objectType: "user", objectId: userId, details: { name, role } };
  await recordAudit(tx, { ...entry, workspaceId, actor });
}
