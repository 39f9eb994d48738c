import { ApiError } from "#lib/contract/error/api-error";
import { ROLES } from "#lib/contract/workspace/roles";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { lockMembers } from "#lib/domain/workspaces/lock-members";
import { enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface RevokeInviteRequest {
  workspaceId: string;
  actor: Actor;
  actorUserId: string;
  inviteId: string;
}

const deleteOpenInvite = defineStatement({
  name: "revoke_invite",
  params: { workspaceId: uuid, inviteId: uuid },
  row: { email: text, role: enumOf(ROLES) },
  sql: `delete from workspace_invites where workspace_id = $1 and id = $2 and accepted_at is null
        returning email, role`,
  isPrepared: false,
});

/**
 * Ends an unused invite.
 * @throws ApiError FORBIDDEN; NOT_FOUND, also for a used one and for one of another workspace
 */
export async function revokeInvite(request: RevokeInviteRequest): Promise<void> {
  const { workspaceId, actor, actorUserId, inviteId } = request;
  await prismaTransaction(async (tx) => {
    await lockMembers(tx, workspaceId, actorUserId, "admin");
    const invite = await deleteOpenInvite.first(tx, { workspaceId, inviteId });
    if (!invite) throw new ApiError("NOT_FOUND", "There is no such invite.");
    const entry = { action: "member.invite_revoked" as const, objectType: "invite", objectId: inviteId };
    await recordAudit(tx, { ...entry, workspaceId, actor, details: invite });
  });
}
