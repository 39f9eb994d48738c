import { ApiError, type FieldError } from "#lib/contract/error/api-error";
import { assertStrongPassword } from "#lib/domain/accounts/assert-strong-password";
import { clearAccountAttempts, requireAttempt } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { endEverySession } from "#lib/domain/accounts/end-sessions";
import { hashPassword, verifyPassword } from "#lib/domain/accounts/hash-password";
import { requireRecentSignIn } from "#lib/domain/accounts/require-recent-sign-in";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { boolean, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { type PrismaTx, prisma, prismaTransaction } from "#lib/platform/db/prisma";

/** How long after signing in a session may choose the first password. */
const FRESH_MINUTES = 10;

interface ChangePasswordRequest {
  userId: string;
  actor: Actor;
  /** The session that sends the request. */
  sessionId: string | null;
  /** Null if the person has no password yet. */
  currentPassword: string | null;
  newPassword: string;
}

const selectPassword = defineStatement({
  name: "find_password",
  params: { userId: uuid, sessionId: nullable(uuid), freshMinutes: integer },
  row: { password_hash: nullable(text), has_two_step: boolean, is_fresh: boolean },
  sql: `select password_hash, has_two_step(u.id) as has_two_step, exists (
          select 1 from user_sessions s where s.id = $2 and s.user_id = u.id
            and s.created_at > now() - make_interval(mins => $3)) as is_fresh
        from users u where id = $1`,
  isPrepared: false,
});

/**
 * Changes a person's password and ends all of their sessions, including the one that asks: anyone who knew the old
 * password may be signed in. A person who signs in only through another service has no password yet and can set one,
 * but only in a session that has just started, so that a stolen session does not become permanent access. With two-step
 * verification a stolen session and a stolen password together are not enough either.
 * @throws ApiError BAD_REQUEST naming current_password or new_password, FORBIDDEN in an old session without a password,
 * FORBIDDEN with the reason confirmation_needed, RATE_LIMIT_EXCEEDED after ten attempts
 */
export async function changePassword(request: ChangePasswordRequest): Promise<void> {
  const { userId, actor, sessionId, currentPassword, newPassword } = request;
  const user = await selectPassword.first(db(), { userId, sessionId, freshMinutes: FRESH_MINUTES });
  if (user?.has_two_step) await requireRecentSignIn(db(), userId, sessionId);
  // A stolen session must not be a means to guess passwords.
  await requireAttempt("password", userId);
  const known = user?.password_hash ?? null;
  if (known === null && !user?.is_fresh) {
    throw new ApiError("FORBIDDEN", "Sign in again first: sign out, sign in, then set the password.");
  }
  if (known !== null && !(await verifyPassword(known, currentPassword ?? "")))
    throw wrongField("current_password", "is not your password");
  if (currentPassword === newPassword) throw wrongField("new_password", "must differ from the current one");
  await refuseWeak(userId, newPassword);
  if (!(await replacePassword(userId, known, newPassword, { actor }))) {
    throw wrongField("current_password", "was changed just now");
  }
}

/**
 * Sets a person's forgotten password, for the operator or with an emailed link, and ends all of their sessions.
 * @param claim uses up the permission, in the same transaction
 * @throws ApiError BAD_REQUEST if the person changes it at the same moment
 */
export async function resetPassword(
  userId: string,
  newPassword: string,
  actor: Actor,
  claim?: (tx: PrismaTx) => Promise<void>,
): Promise<void> {
  await refuseWeak(userId, newPassword);
  const user = await prisma().user.findUnique({ where: { id: userId }, select: { passwordHash: true } });
  if (await replacePassword(userId, user?.passwordHash ?? null, newPassword, { actor, claim })) return;
  throw new ApiError("BAD_REQUEST", "The password was changed just now. Try again.");
}

/** @returns false if the password is no longer `known` */
async function replacePassword(
  userId: string,
  known: string | null,
  newPassword: string,
  { actor, claim }: { actor: Actor; claim?: ((tx: PrismaTx) => Promise<void>) | undefined },
): Promise<boolean> {
  const passwordHash = await hashPassword(newPassword);
  return prismaTransaction(async (tx) => {
    await claim?.(tx);
    const [user] = await tx.prisma.user.updateManyAndReturn({
      where: { id: userId, passwordHash: known },
      data: { passwordHash, updatedAt: new Date() },
      select: { email: true },
    });
    if (!user) return false;
    await clearAccountAttempts(tx.prisma, userId, user.email);
    await endEverySession(tx.prisma, userId);
    // A link that is still in a mailbox must not replace the new password.
    await tx.prisma.passwordReset.updateMany({ where: { userId }, data: { tokenHash: null, nextMailAt: null } });
    const entry = { action: "user.password_changed" as const, objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, workspaceId: null, actor });
    return true;
  });
}

async function refuseWeak(userId: string, password: string): Promise<void> {
  const user = await prisma().user.findUnique({ where: { id: userId }, select: { email: true, name: true } });
  await assertStrongPassword(password, "new_password", user ? [user.email, user.name] : []);
}

function wrongField(field: string, message: string): ApiError {
  const details: FieldError[] = [{ field, pointer: `/${field}`, code: "custom", message }];
  return new ApiError("BAD_REQUEST", `${field}: ${message}`, { details });
}
