import { LIMITS } from "#lib/contract/limits";
import { float8, integer, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { addMailJob, MAIL_UNATTENDED_SECONDS } from "#lib/platform/jobs/add-mail-job";
import { RESET_MAIL_JOB } from "#lib/platform/jobs/payloads";

const DAY_HOURS = 24;

const saveRequest = defineStatement({
  name: "request_password_reset",
  params: { email: text, perDay: integer, hours: integer, seconds: float8 },
  sql: `with saved as (
          insert into password_resets as r (user_id, next_mail_at)
          select id, clock_timestamp() + make_interval(secs => $4) from users where email = $1
          on conflict (user_id) do update set
            requests = case when r.first_requested_at < now() - make_interval(hours => $3) then 1 else r.requests + 1 end,
            first_requested_at = case when r.first_requested_at < now() - make_interval(hours => $3) then now()
              else r.first_requested_at end,
            requested_at = now(), next_mail_at = excluded.next_mail_at, mail_attempts = 0
            where r.requests < $2 or r.first_requested_at < now() - make_interval(hours => $3)
          returning user_id)
        select ${addMailJob(RESET_MAIL_JOB, "user_id")} from saved`,
});

/**
 * Asks for an email with a link that sets a new password, and queues the job that sends it. The answer and the time it
 * takes are the same for an address without an account, and for one that has received its emails of the day
 * (decisions, Accounts).
 * @param email normalized
 */
export async function requestPasswordReset(email: string): Promise<void> {
  await saveRequest.run(db(), {
    email,
    perDay: LIMITS.passwordResetMailsPerDay,
    hours: DAY_HOURS,
    seconds: MAIL_UNATTENDED_SECONDS,
  });
}
