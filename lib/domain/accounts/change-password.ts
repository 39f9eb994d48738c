import { ApiError, type FieldError } from "#lib/contract/api-error";
import { endEverySession } from "#lib/domain/accounts/end-sessions";
import { hashPassword, verifyPassword } from "#lib/domain/accounts/hash-password";
import { forgetPasswordAttempts, takeSignInAttempt } from "#lib/domain/accounts/take-sign-in-attempt";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { boolean, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { prisma, prismaTransaction } from "#lib/platform/db/prisma";

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

const selectPassword = defineStatement({
  name: "find_password",
  params: { userId: uuid, sessionId: nullable(uuid), freshMinutes: integer },
  row: { password_hash: nullable(text), is_fresh: boolean },
  sql: `select password_hash, exists (
          select 1 from user_sessions s where s.id = $2 and s.user_id = u.id
            and s.created_at > now() - make_interval(mins => $3)) as is_fresh
        from users u where id = $1`,
  isPrepared: false,
});

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
  const user = await selectPassword.first(db(), { userId, sessionId, freshMinutes: FRESH_MINUTES });
  const known = user?.password_hash ?? null;
  if (known === null && !user?.is_fresh) {
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
  const user = await prisma().user.findUnique({ where: { id: userId }, select: { passwordHash: true } });
  if (await replacePassword(userId, user?.passwordHash ?? null, newPassword, actor)) return;
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
  return prismaTransaction(async (tx) => {
    const [user] = await tx.prisma.user.updateManyAndReturn({
      where: { id: userId, passwordHash: known },
      data: { passwordHash, updatedAt: new Date() },
      select: { email: true },
    });
    if (!user) return false;
    await forgetPasswordAttempts(tx.prisma, userId, user.email);
    await endEverySession(tx.prisma, userId);
    const entry = { action: "user.password_changed", objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, workspaceId: null, actor });
    return true;
  });
}

function wrongField(field: string, message: string): ApiError {
  const details: FieldError[] = [{ field, pointer: `/${field}`, code: "custom", message }];
  return new ApiError("BAD_REQUEST", `${field}: ${message}`, { details });
}
