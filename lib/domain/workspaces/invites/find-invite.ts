import { createHash } from "node:crypto";
import { ApiError, type FieldError } from "#lib/contract/api-error";
import type { Role } from "#lib/contract/roles";
import type { Db } from "#lib/platform/db/pool";
import { normalizeEmail } from "#lib/support/normalize-email";

export interface Invite {
  id: string;
  workspaceId: string;
  workspaceName: string;
  email: string;
  role: Role;
  /** Whether somebody with this address has an account already. */
  hasAccount: boolean;
}

/** Invites are found by this: whoever reads the table cannot use them. */
export function hashInviteToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The open invite a token belongs to, locked until the transaction ends; null when it is unknown, used or expired. */
export async function findInvite(tx: Db, token: string): Promise<Invite | null> {
  const { rows } = await tx.query<Invite>({
    text: `select i.id, i.workspace_id as "workspaceId", w.name as "workspaceName", i.email, i.role,
                  exists (select 1 from users u where u.email = i.email) as "hasAccount"
           from workspace_invites i join workspaces w on w.id = i.workspace_id
           where i.token_hash = $1 and i.accepted_at is null and i.expires_at > now()
           for update of i`,
    values: [hashInviteToken(token)],
  });
  return rows[0] ?? null;
}

/**
 * The same for somebody with this address; locked like findInvite.
 * @param email normalised
 * @throws ApiError FORBIDDEN when it is not open, or for another address
 */
export async function getInvite(tx: Db, token: string, email: string): Promise<Invite> {
  const invite = await findInvite(tx, token);
  if (!invite) throw new ApiError("FORBIDDEN", "This invite has expired or was used already. Ask for a new one.");
  if (normalizeEmail(invite.email) === email) return invite;
  const details: FieldError[] = [
    { field: "email", pointer: "/email", code: "custom", message: "must be the address the invite was sent to" },
  ];
  throw new ApiError("FORBIDDEN", "This invite is for another e-mail address.", { details });
}
