import { createHash } from "node:crypto";
import { normalizeEmail } from "#lib/contract/account/normalize-email";
import { ApiError, type FieldError } from "#lib/contract/error/api-error";
import { ROLES } from "#lib/contract/workspace/roles";
import { boolean, bytea, enumOf, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const INVITE = {
  id: uuid,
  workspaceId: uuid,
  workspaceName: text,
  email: text,
  role: enumOf(ROLES),
  /** True if an account with this address already exists. */
  hasAccount: boolean,
};
export type Invite = RowOf<typeof INVITE>;

/** Invites are found by this hash, so that a user who can read the table cannot use them. */
export function hashInviteToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

const lockOpenInvite = defineStatement({
  name: "find_invite",
  params: { tokenHash: bytea },
  row: INVITE,
  sql: `select i.id, i.workspace_id as "workspaceId", w.name as "workspaceName", i.email, i.role,
          exists (select 1 from users u where u.email = i.email) as "hasAccount"
        from workspace_invites i join workspaces w on w.id = i.workspace_id
        where i.token_hash = $1 and i.accepted_at is null and i.expires_at > now()
        for update of i`,
  isPrepared: false,
});

/** Returns the open invite of a token, locked until the transaction ends; null if it is unknown, used or expired. */
export async function findInvite(tx: Db, token: string): Promise<Invite | null> {
  return lockOpenInvite.first(tx, { tokenHash: hashInviteToken(token) });
}

/**
 * Returns the open invite of a token for this address; locks it like findInvite.
 * @param email normalized
 * @throws ApiError FORBIDDEN if it is not open, or for another address
 */
export async function getInvite(tx: Db, token: string, email: string): Promise<Invite> {
  const invite = await findInvite(tx, token);
  if (!invite) throw new ApiError("FORBIDDEN", "This invite has expired or was already used. Ask for a new one.");
  if (normalizeEmail(invite.email) === email) return invite;
  const details: FieldError[] = [
    { field: "email", pointer: "/email", code: "custom", message: "must be the address the invite was sent to" },
  ];
  throw new ApiError("FORBIDDEN", "This invite is for another email address.", { details });
}
