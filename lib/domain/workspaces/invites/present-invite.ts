import { ROLES } from "#lib/contract/workspace/roles";
import type { InviteObject } from "#lib/contract/workspace/workspace";
import { enumOf, nullable, type RowOf, text, timestamptz, uuid } from "#lib/platform/db/column-types";

export const INVITE_ROW = {
  id: uuid,
  email: text,
  role: enumOf(ROLES),
  inviter: nullable(text),
  created_at: timestamptz,
  expires_at: timestamptz,
  next_mail_at: nullable(timestamptz),
  mailed_at: nullable(timestamptz),
  mail_error: nullable(text),
};
type InviteRow = RowOf<typeof INVITE_ROW>;

export function presentInvite(row: InviteRow, now: Date): InviteObject {
  return {
    invite_id: row.id,
    email: row.email,
    role: row.role,
    invited_by: row.inviter,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    status: row.expires_at > now ? "open" : "expired",
    mail: mailOf(row),
    mail_error: row.mail_error,
  };
}

function mailOf({ mailed_at: mailedAt, next_mail_at: nextMailAt, mail_error: error }: InviteRow): InviteObject["mail"] {
  if (mailedAt !== null) return "sent";
  if (nextMailAt !== null) return "waiting";
  return error === null ? null : "failed";
}
