import { ROLES } from "#lib/contract/workspace/roles";
import { joinWorkspace } from "#lib/domain/workspaces/invites/accept-invite";
import { enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { PrismaTx } from "#lib/platform/db/prisma";

const lockOpenInvites = defineStatement({
  name: "lock_open_invites",
  params: { email: text },
  row: { id: uuid, workspaceId: uuid, role: enumOf(ROLES) },
  sql: `select id, workspace_id as "workspaceId", role from workspace_invites
        where email = $1 and accepted_at is null and expires_at > now() order by created_at, id for update`,
  isPrepared: false,
});

/**
 * Uses up every open invite for an address, for a person who has proved that it is theirs.
 * @param email normalized
 * @returns how many there were
 */
export async function acceptOpenInvites(
  tx: PrismaTx,
  email: string,
  user: { id: string; name: string },
): Promise<number> {
  const invites = await lockOpenInvites.all(tx, { email });
  for (const invite of invites) await joinWorkspace(tx, invite, { userId: user.id, name: user.name });
  return invites.length;
}
