import { sanitize } from "#lib/core/redaction/sanitize";
import type { ClaimedInviteMail } from "#lib/domain/workspaces/invites/claim-invite-mail";
import { boolean, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { storableText } from "#lib/support/json";

const ERROR_MAX_CHARACTERS = 300;

const settle = defineStatement({
  name: "settle_invite_mail",
  params: { inviteId: uuid, error: nullable(text), isLast: boolean, attempts: integer },
  sql: `update workspace_invites
          set mailed_at = case when $2::text is null then clock_timestamp() end, mail_error = $2,
              next_mail_at = case when not $3 then next_mail_at end, link_sealed = case when not $3 then link_sealed end
        where id = $1 and mail_attempts = $4 and mailed_at is null`,
});

/**
 * Writes the result of an email: sent, refused, or given up. Writes nothing if another worker has it by now.
 * @param error in the mail server's words, which are sanitized; null if it was sent
 * @param isLast whether no attempt follows a refusal
 */
export async function settleInviteMail(
  { inviteId, attempts }: ClaimedInviteMail,
  error: string | null,
  isLast: boolean,
): Promise<void> {
  // A mail server may repeat what it refuses.
  const given = error === null ? null : storableText(sanitize(error)).slice(0, ERROR_MAX_CHARACTERS);
  await settle.run(db(), { inviteId, error: given, isLast: error === null || isLast, attempts });
}
