import { ApiError } from "#lib/contract/api-error";
import type { Role } from "#lib/contract/roles";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { lockMembers } from "#lib/domain/workspaces/lock-members";
import { transaction } from "#lib/platform/db/transaction";

interface RevokeInviteRequest {
  workspaceId: string;
  actor: Actor;
  actorUserId: string;
  inviteId: string;
}

/** Ends an invite that nobody used. @throws ApiError FORBIDDEN, NOT_FOUND, for a used or a foreign one too */
export async function revokeInvite(request: RevokeInviteRequest): Promise<void> {
  const { workspaceId, actor, actorUserId, inviteId } = request;
  await transaction(async (tx) => {
    await lockMembers(tx, workspaceId, actorUserId, "admin");
    const { rows } = await tx.query<{ email: string; role: Role }>({
      text: `delete from workspace_invites where workspace_id = $1 and id = $2 and accepted_at is null
             returning email, role`,
      values: [workspaceId, inviteId],
    });
    const [invite] = rows;
    if (!invite) throw new ApiError("NOT_FOUND", "There is no such invite.");
    const entry = { action: "member.invite_revoked", objectType: "invite", objectId: inviteId };
    await recordAudit(tx, { ...entry, workspaceId, actor, details: { ...invite } });
  });
}
