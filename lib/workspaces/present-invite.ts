import type { Role } from "#lib/contract/roles";
import type { InviteObject } from "#lib/contract/workspace";

export interface InviteRow {
  id: string;
  email: string;
  role: Role;
  inviter: string | null;
  created_at: Date;
  expires_at: Date;
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
  };
}
