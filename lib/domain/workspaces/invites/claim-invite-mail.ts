import {
  bytea,
  filled,
  float8,
  integer,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";

const CLAIMED_MAIL = {
  inviteId: uuid,
  workspaceId: uuid,
  email: text,
  linkSealed: filled(bytea),
  workspaceName: text,
  timeZone: text,
  /** Null if that person's account was deleted. */
  inviter: nullable(text),
  expiresAt: timestamptz,
  /** Includes this attempt. */
  attempts: integer,
};
/** An invite that this worker is sending by email. */
export type ClaimedInviteMail = RowOf<typeof CLAIMED_MAIL>;

/** Longer than one email can take. After this, the email of a worker that died is sent again. */
const LEASE_SECONDS = 120;

/** Returns the context that the link is sealed for until it is sent. */
export function inviteLinkContext(inviteId: string): string {
  return `invite|${inviteId}`;
}

/** @throws Error if the key that sealed it is missing */
export function openInviteLink({ workspaceId, inviteId, linkSealed }: ClaimedInviteMail): string {
  return unseal<string>(workspaceId, inviteLinkContext(inviteId), linkSealed);
}

const claimDue = defineStatement({
  name: "claim_invite_mail",
  params: { leaseSeconds: float8 },
  row: CLAIMED_MAIL,
  sql: `update workspace_invites i
          set mail_attempts = mail_attempts + 1, next_mail_at = clock_timestamp() + make_interval(secs => $1)
        from workspaces w
        where w.id = i.workspace_id and i.id = (
          select id from workspace_invites
          where next_mail_at <= clock_timestamp()::timestamptz(3) and link_sealed is not null
            and accepted_at is null and expires_at > now()
          order by next_mail_at limit 1 for update skip locked)
        returning i.id as "inviteId", i.workspace_id as "workspaceId", i.email, i.link_sealed as "linkSealed",
          w.name as "workspaceName", w.time_zone as "timeZone",
          (select u.name from users u where u.id = i.invited_by) as inviter,
          i.expires_at as "expiresAt", i.mail_attempts as attempts`,
});

/** Claims an invite that is due to be sent by email and is still open; null if there is none. */
export async function claimInviteMail(): Promise<ClaimedInviteMail | null> {
  return claimDue.first(db(), { leaseSeconds: LEASE_SECONDS });
}
