import type { Role } from "#lib/contract/roles";
import type { InviteObject } from "#lib/contract/workspace";

export interface InviteRow {
  id: string;
  email: string;
  role: Role;
  inviter: string | null;
  created_at: Date;
  expires_at: Date;
  next_mail_at: Date | null;
  mailed_at: Date | null;
  mail_error: string | null;
}

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
