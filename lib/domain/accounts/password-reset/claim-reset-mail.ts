import { LIMITS } from "#lib/contract/limits";
import { createResetToken, hashResetToken } from "#lib/domain/accounts/password-reset/reset-token";
import { bytea, float8, integer, nullable, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** Longer than one email can take. After this, the email of a worker that died is sent again. */
const LEASE_SECONDS = 120;
/** The delays after each refusal. A user who waits longer has asked again. */
const RETRY_DELAYS_SECONDS = [30, 120, 600];

/** A link that sets a new password, on its way to its user. */
export interface ClaimedResetMail {
  email: string;
  token: string;
  /** Includes this attempt. */
  attempts: number;
}

const claimDue = defineStatement({
  name: "claim_reset_mail",
  params: { tokenHash: bytea, leaseSeconds: float8, validMinutes: integer },
  row: { email: text, attempts: integer },
  sql: `update password_resets r
          set mail_attempts = mail_attempts + 1, next_mail_at = clock_timestamp() + make_interval(secs => $2),
              token_hash = $1, expires_at = clock_timestamp() + make_interval(mins => $3)
        from users u
        where u.id = r.user_id and r.user_id = (
          select user_id from password_resets
          where next_mail_at <= clock_timestamp()::timestamptz(3)
          order by next_mail_at limit 1 for update skip locked)
        returning u.email, r.mail_attempts as attempts`,
});

/**
 * Claims a request that is due, with a new token: no stored secret waits for a mail server that is down. A link that was
 * sent before stops working.
 * @returns null if none is due
 */
export async function claimResetMail(): Promise<ClaimedResetMail | null> {
  const token = createResetToken();
  const found = await claimDue.first(db(), {
    tokenHash: hashResetToken(token),
    leaseSeconds: LEASE_SECONDS,
    validMinutes: LIMITS.passwordResetMinutes,
  });
  return found ? { ...found, token } : null;
}

const settle = defineStatement({
  name: "settle_reset_mail",
  params: { tokenHash: bytea, delaySeconds: nullable(float8), attempts: integer },
  // A newer request, which starts again at no attempts, is still to be sent.
  sql: `update password_resets set next_mail_at = clock_timestamp() + make_interval(secs => $2)
        where token_hash = $1 and mail_attempts = $3`,
});

/**
 * Writes whether the email was sent, is sent again later, or is given up. Writes nothing if the token was replaced or
 * the user has asked again.
 */
export async function settleResetMail({ token, attempts }: ClaimedResetMail, wasSent: boolean): Promise<void> {
  const delaySeconds = wasSent ? null : (RETRY_DELAYS_SECONDS[attempts - 1] ?? null);
  await settle.run(db(), { tokenHash: hashResetToken(token), delaySeconds, attempts });
}
