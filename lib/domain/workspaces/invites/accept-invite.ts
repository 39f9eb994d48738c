import { ApiError } from "#lib/contract/api-error";
import { ROLES, type Role } from "#lib/contract/roles";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { getInvite, type Invite } from "#lib/domain/workspaces/invites/find-invite";
import { findMemberRole } from "#lib/domain/workspaces/lock-members";
import { enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

interface Joining {
  userId: string;
  name: string;
}

const selectUser = defineStatement({
  name: "find_invited_user",
  params: { userId: uuid },
  row: { email: text, name: text },
  sql: "select email, name from users where id = $1",
  isPrepared: false,
});

/**
 * Lets somebody who has an account into the workspace of an invite.
 * @throws ApiError FORBIDDEN when the invite is not open or is for another address
 */
export async function acceptInvite(token: string, userId: string): Promise<{ workspaceId: string; role: Role }> {
  return transaction(async (tx) => {
    const user = await selectUser.first(tx, { userId });
    if (!user) throw new ApiError("not_signed_in", "Sign in to go on.");
    const invite = await getInvite(tx, token, user.email);
    const role = await joinWorkspace(tx, invite, { userId, name: user.name });
    return { workspaceId: invite.workspaceId, role };
  });
}

const insertMember = defineStatement({
  name: "join_workspace",
  params: { workspaceId: uuid, userId: uuid, role: enumOf(ROLES) },
  sql: `insert into workspace_members (workspace_id, user_id, role) values ($1, $2, $3)
        on conflict (workspace_id, user_id) do nothing`,
  isPrepared: false,
});

const markAccepted = defineStatement({
  name: "mark_invite_accepted",
  params: { id: uuid },
  sql: "update workspace_invites set accepted_at = now() where id = $1",
  isPrepared: false,
});

/** Uses up an invite that is locked by the caller's transaction. A member keeps the role they have. */
export async function joinWorkspace(
  tx: Db,
  invite: Pick<Invite, "id" | "workspaceId" | "role">,
  { userId, name }: Joining,
): Promise<Role> {
  const { id, workspaceId, role } = invite;
  const joined = await insertMember.run(tx, { workspaceId, userId, role });
  await markAccepted.run(tx, { id });
  if (joined === 0) return (await findMemberRole(tx, workspaceId, userId)) ?? role;
  const entry = { action: "member.joined", objectType: "user", objectId: userId, details: { name, role } };
  await recordAudit(tx, { ...entry, workspaceId, actor: { type: "user", id: userId, name } });
  return role;
}
