import { createHash } from "node:crypto";
import type { Role } from "#lib/contract/roles";
import type { Db } from "#lib/db/pool";

interface Invite {
  id: string;
  workspaceId: string;
  workspaceName: string;
  email: string;
  role: Role;
}

/** The open invite a token belongs to, locked until the transaction ends; null when it is unknown, used or expired. */
export async function findInvite(tx: Db, token: string): Promise<Invite | null> {
  const { rows } = await tx.query<Invite>({
    text: `select i.id, i.workspace_id as "workspaceId", w.name as "workspaceName", i.email, i.role
           from workspace_invites i join workspaces w on w.id = i.workspace_id
           where i.token_hash = $1 and i.accepted_at is null and i.expires_at > now()
           for update of i`,
    values: [createHash("sha256").update(token).digest()],
  });
  return rows[0] ?? null;
}
