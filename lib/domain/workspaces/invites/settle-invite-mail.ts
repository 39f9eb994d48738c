import { sanitize } from "#lib/core/redaction/sanitize";
import type { ClaimedInviteMail } from "#lib/domain/workspaces/invites/claim-invite-mail";
import { float8, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { storableText } from "#lib/support/storable-text";

/** The delays after each refusal, about a day in all; then sending is given up. */
const RETRY_DELAYS_SECONDS = [30, 120, 600, 3_600, 4 * 3_600, 16 * 3_600];
const ERROR_MAX_CHARACTERS = 300;

const settle = defineStatement({
  name: "settle_invite_mail",
  params: { inviteId: uuid, error: nullable(text), delaySeconds: nullable(float8), attempts: integer },
  sql: `update workspace_invites
          set mailed_at = case when $2::text is null then clock_timestamp() end, mail_error = $2,
              next_mail_at = clock_timestamp() + make_interval(secs => $3),
              link_sealed = case when $3::float8 is null then null else link_sealed end
        where id = $1 and mail_attempts = $4 and mailed_at is null`,
});

/**
 * Writes the result of an email: sent, to be retried, or given up. Writes nothing if another worker has it by now.
 * @param error in the mail server's words, which are sanitized; null if it was sent
 */
export async function settleInviteMail({ inviteId, attempts }: ClaimedInviteMail, error: string | null): Promise<void> {
  const delaySeconds = error === null ? null : (RETRY_DELAYS_SECONDS[attempts - 1] ?? null);
  // A mail server may repeat what it refuses.
  const given = error === null ? null : storableText(sanitize(error)).slice(0, ERROR_MAX_CHARACTERS);
  await settle.run(db(), { inviteId, error: given, delaySeconds, attempts });
}
