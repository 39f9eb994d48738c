import { joinWorkspace } from "#lib/domain/workspaces/invites/accept-invite";
import type { Invite } from "#lib/domain/workspaces/invites/find-invite";
import type { Db } from "#lib/platform/db/pool";

/**
 * Uses up every open invite for an address, for somebody who has proved that it is theirs.
 * @param email normalised
 * @returns how many there were
 */
export async function acceptOpenInvites(tx: Db, email: string, user: { id: string; name: string }): Promise<number> {
  const { rows } = await tx.query<Pick<Invite, "id" | "workspaceId" | "role">>({
    text: `select id, workspace_id as "workspaceId", role from workspace_invites
           where email = $1 and accepted_at is null and expires_at > now() order by created_at, id for update`,
    values: [email],
  });
  for (const invite of rows) await joinWorkspace(tx, invite, { userId: user.id, name: user.name });
  return rows.length;
}
