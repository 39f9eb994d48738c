import { LIMITS } from "#lib/contract/limits";
import { createResetToken, hashResetToken } from "#lib/domain/accounts/password-reset/reset-token";
import { boolean, bytea, float8, integer, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { addMailJob, MAIL_ABANDONED_SECONDS } from "#lib/platform/jobs/add-mail-job";
import { RESET_MAIL_JOB } from "#lib/platform/jobs/payloads";

/** A link that sets a new password, on its way to its user. */
export interface ClaimedResetMail {
  email: string;
  token: string;
  /** Since the user asked; includes this attempt. */
  attempts: number;
}

const claim = defineStatement({
  name: "claim_reset_mail",
  params: { userId: uuid, tokenHash: bytea, seconds: float8, validMinutes: integer },
  row: { email: text, attempts: integer },
  sql: `update password_resets r
          set mail_attempts = mail_attempts + 1, next_mail_at = clock_timestamp() + make_interval(secs => $3),
              token_hash = $2, expires_at = clock_timestamp() + make_interval(mins => $4)
        from users u
        where u.id = r.user_id and r.user_id = $1 and r.next_mail_at is not null
        returning u.email, r.mail_attempts as attempts`,
});

/**
 * Claims what a user asked for, with a new token: no stored secret waits for a mail server that is down. A link that was
 * sent before stops working.
 * @returns null if the link was sent, given up, or is not wanted anymore
 */
export async function claimResetMail(userId: string): Promise<ClaimedResetMail | null> {
  const token = createResetToken();
  const found = await claim.first(db(), {
    userId,
    tokenHash: hashResetToken(token),
    seconds: MAIL_ABANDONED_SECONDS,
    validMinutes: LIMITS.passwordResetMinutes,
  });
  return found ? { ...found, token } : null;
}

const settle = defineStatement({
  name: "settle_reset_mail",
  params: { tokenHash: bytea, isOver: boolean, attempts: integer },
  // A newer request, which starts again at no attempts, is still to be sent.
  sql: `update password_resets set next_mail_at = case when not $2 then next_mail_at end
        where token_hash = $1 and mail_attempts = $3`,
});

/**
 * Writes whether the email is over (sent, or given up) or is sent again later. Writes nothing if the token was replaced
 * or the user has asked again.
 */
export async function settleResetMail({ token, attempts }: ClaimedResetMail, isOver: boolean): Promise<void> {
  await settle.run(db(), { tokenHash: hashResetToken(token), isOver, attempts });
}

const requeue = defineStatement({
  name: "requeue_reset_mails",
  sql: `select ${addMailJob(RESET_MAIL_JOB, "user_id")} from password_resets where next_mail_at <= now()`,
  isPrepared: false,
});

/** Queues the emails whose job was lost, and those that a version without such jobs left. */
export async function requeueResetMails(): Promise<void> {
  await requeue.run(db());
}
