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
import { addMailJob, MAIL_ABANDONED_SECONDS } from "#lib/platform/jobs/add-mail-job";
import { INVITE_MAIL_JOB } from "#lib/platform/jobs/payloads";
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

/** Returns the context that the link is sealed for until it is sent. */
export function inviteLinkContext(inviteId: string): string {
  return `invite|${inviteId}`;
}

/** @throws Error if the key that sealed it is missing */
export function openInviteLink({ workspaceId, inviteId, linkSealed }: ClaimedInviteMail): string {
  return unseal<string>(workspaceId, inviteLinkContext(inviteId), linkSealed);
}

/** The invite is still open, and its email has neither been sent nor given up. */
const IS_WANTED = "link_sealed is not null and accepted_at is null and expires_at > now()";
const isPrepared = false;

const claim = defineStatement({
  name: "claim_invite_mail",
  params: { inviteId: uuid, seconds: float8 },
  row: CLAIMED_MAIL,
  sql: `update workspace_invites i
          set mail_attempts = mail_attempts + 1, next_mail_at = clock_timestamp() + make_interval(secs => $2)
        from workspaces w
        where w.id = i.workspace_id and i.id = $1 and ${IS_WANTED}
        returning i.id as "inviteId", i.workspace_id as "workspaceId", i.email, i.link_sealed as "linkSealed",
          w.name as "workspaceName", w.time_zone as "timeZone",
          (select u.name from users u where u.id = i.invited_by) as inviter,
          i.expires_at as "expiresAt", i.mail_attempts as attempts`,
  isPrepared,
});

/**
 * Claims the email of an invite. A worker that claimed it before, and was declared dead, can no longer store a result.
 * @returns null if the email is not wanted anymore
 */
export async function claimInviteMail(inviteId: string): Promise<ClaimedInviteMail | null> {
  return claim.first(db(), { inviteId, seconds: MAIL_ABANDONED_SECONDS });
}

const requeue = defineStatement({
  name: "requeue_invite_mails",
  sql: `select ${addMailJob(INVITE_MAIL_JOB, "id")} from workspace_invites where next_mail_at <= now() and ${IS_WANTED}`,
  isPrepared,
});

/** Queues the emails whose job was lost, and those that a version without such jobs left. */
export async function requeueInviteMails(): Promise<void> {
  await requeue.run(db());
}
