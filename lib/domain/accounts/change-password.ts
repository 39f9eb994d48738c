import { ApiError, type FieldError } from "#lib/contract/api-error";
import { endEverySession } from "#lib/domain/accounts/end-sessions";
import { hashPassword, verifyPassword } from "#lib/domain/accounts/hash-password";
import { forgetPasswordAttempts, takeSignInAttempt } from "#lib/domain/accounts/take-sign-in-attempt";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";

/** How long after signing in a session may choose the first password. */
const FRESH_MINUTES = 10;

interface ChangePasswordRequest {
  userId: string;
  actor: Actor;
  /** The session that asks. */
  sessionId: string | null;
  /** Null where there is none yet. */
  currentPassword: string | null;
  newPassword: string;
}

/**
 * Gives a person another password and ends every session of theirs, the one that asks too: whoever changes a password
 * because somebody knows it must not leave that somebody signed in. Whoever signs in by another service alone has none
 * yet, and gets one: in a session that has just begun, because a stolen one must not become a way in that lasts.
 * @throws ApiError BAD_REQUEST naming current_password or new_password, FORBIDDEN in an old session without a password,
 * RATE_LIMIT_EXCEEDED after ten tries
 */
export async function changePassword(request: ChangePasswordRequest): Promise<void> {
  const { userId, actor, sessionId, currentPassword, newPassword } = request;
  // A stolen session must not be a way to try passwords.
  const waitSeconds = await takeSignInAttempt(db(), "password", userId);
  if (waitSeconds > 0) {
    throw new ApiError("too_many_attempts", "Too many attempts. Wait a few minutes and try again.", {
      retryAfterSeconds: waitSeconds,
    });
  }
  const { rows } = await db().query<{ password_hash: string | null; is_fresh: boolean }>({
    text: `select password_hash, exists (
             select 1 from user_sessions s where s.id = $2 and s.user_id = u.id
               and s.created_at > now() - make_interval(mins => $3)) as is_fresh
           from users u where id = $1`,
    values: [userId, sessionId, FRESH_MINUTES],
  });
  const known = rows[0]?.password_hash ?? null;
  if (known === null && !rows[0]?.is_fresh) {
    throw new ApiError("FORBIDDEN", "Sign in again to do this: sign out, sign in, and choose the password then.");
  }
  if (known !== null && !(await verifyPassword(known, currentPassword ?? "")))
    throw wrongField("current_password", "is not your password");
  if (currentPassword === newPassword) throw wrongField("new_password", "must differ from the current one");
  if (!(await replacePassword(userId, known, newPassword, actor))) {
    throw wrongField("current_password", "was changed a moment ago");
  }
}

/**
 * Gives a person another password at the word of whoever runs the instance, because the old one is forgotten, and ends
 * every session of theirs.
 * @throws ApiError BAD_REQUEST when the person changes it at the same moment
 */
export async function resetPassword(userId: string, newPassword: string, actor: Actor): Promise<void> {
  const { rows } = await db().query<{ known: string | null }>({
    text: "select password_hash as known from users where id = $1",
    values: [userId],
  });
  if (await replacePassword(userId, rows[0]?.known ?? null, newPassword, actor)) return;
  throw new ApiError("BAD_REQUEST", "The password was changed a moment ago. Try again.");
}

/** @returns false when it is not `known` any more */
async function replacePassword(
  userId: string,
  known: string | null,
  newPassword: string,
  actor: Actor,
): Promise<boolean> {
  const passwordHash = await hashPassword(newPassword);
  return transaction(async (tx) => {
    const { rows } = await tx.query<{ email: string }>({
      text: `update users set password_hash = $3, updated_at = now()
             where id = $1 and password_hash is not distinct from $2 returning email`,
      values: [userId, known, passwordHash],
    });
    if (!rows[0]) return false;
    await forgetPasswordAttempts(tx, userId, rows[0].email);
    await endEverySession(tx, userId);
    const entry = { action: "user.password_changed", objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, workspaceId: null, actor });
    return true;
  });
}

function wrongField(field: string, message: string): ApiError {
  const details: FieldError[] = [{ field, pointer: `/${field}`, code: "custom", message }];
  return new ApiError("BAD_REQUEST", `${field}: ${message}`, { details });
}
