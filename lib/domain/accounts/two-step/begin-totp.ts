import { ApiError } from "#lib/contract/error/api-error";
import { requireRecentSignIn } from "#lib/domain/accounts/require-recent-sign-in";
import { requireOwnProviders } from "#lib/domain/accounts/two-step/require-own-providers";
import { newTotpSecret, totpContext, totpUri } from "#lib/domain/accounts/two-step/totp";
import { bytea, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { seal } from "#lib/platform/secrets/seal";

const startEnrollment = defineStatement({
  name: "start_totp_enrollment",
  params: { userId: uuid, sealed: bytea },
  row: { email: text },
  sql: `with added as (
          insert into user_totp as t (user_id, secret_sealed) values ($1, $2)
          on conflict (user_id) do update set secret_sealed = excluded.secret_sealed, created_at = now()
            where t.confirmed_at is null
          returning user_id)
        select u.email from added join users u on u.id = added.user_id`,
  isPrepared: false,
});

/**
 * Creates the secret of an authenticator app. It counts after a first code confirmed it; until then a new one replaces
 * it.
 * @throws ApiError FORBIDDEN without a recent sign-in or a required provider, BAD_REQUEST if an app is already set up
 */
export async function beginTotp(request: { userId: string; sessionId: string | null }) {
  const { userId, sessionId } = request;
  await requireRecentSignIn(db(), userId, sessionId);
  await requireOwnProviders(db(), userId, sessionId);
  const secret = newTotpSecret();
  const started = await startEnrollment.first(db(), { userId, sealed: seal(userId, totpContext(userId), secret) });
  if (!started) throw new ApiError("BAD_REQUEST", "An authenticator app is already set up. Remove it first.");
  return { secret, uri: totpUri(secret, started.email) };
}
