import { ApiError, type FieldError } from "#lib/contract/error/api-error";
import { forgetAttempts, requireAttempt } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { lockUser } from "#lib/domain/accounts/lock-user";
import { requireRecentSignIn } from "#lib/domain/accounts/require-recent-sign-in";
import { noteNewFactor } from "#lib/domain/accounts/two-step/note-new-factor";
import { matchTotpStep, totpContext } from "#lib/domain/accounts/two-step/totp";
import type { Actor } from "#lib/domain/audit/record-audit";
import { db } from "#lib/platform/db/pool";
import { prisma, prismaTransaction } from "#lib/platform/db/prisma";
import { unseal } from "#lib/platform/secrets/seal";

interface ConfirmTotpRequest {
  userId: string;
  actor: Actor;
  sessionId: string | null;
  /** The code that the app shows. */
  code: string;
}

/**
 * Turns an authenticator app on, with a code that proves it has the secret.
 * @returns recovery codes, if this is the person's first second factor
 * @throws ApiError FORBIDDEN without a recent sign-in, BAD_REQUEST naming `code`
 */
export async function confirmTotp({ userId, actor, sessionId, code }: ConfirmTotpRequest): Promise<string[] | null> {
  await requireRecentSignIn(db(), userId, sessionId);
  await requireAttempt("confirmation", userId);
  const pending = await prisma().userTotp.findFirst({ where: { userId, confirmedAt: null } });
  if (!pending) throw new ApiError("BAD_REQUEST", "Start setting up the authenticator app again.");
  const secret = unseal<string>(userId, totpContext(userId), pending.secretSealed);
  const step = matchTotpStep(secret, code, Date.now());
  if (step === null) throw wrongCode();
  await forgetAttempts(db(), "confirmation", userId);
  return prismaTransaction(async (tx) => {
    await lockUser(tx, userId);
    return noteNewFactor(tx, { userId, actor, sessionId, action: "user.authenticator_added" }, async () => {
      const { count } = await tx.prisma.userTotp.updateMany({
        // The secret that the code is for: another page may have started again meanwhile.
        where: { userId, confirmedAt: null, secretSealed: pending.secretSealed },
        data: { confirmedAt: new Date(), lastStep: BigInt(step) },
      });
      if (count === 0) throw wrongCode();
    });
  });
}

function wrongCode(): ApiError {
  const message = "is not the current code. Enter the code that the app shows now";
  const details: FieldError[] = [{ field: "code", pointer: "/code", code: "custom", message }];
  return new ApiError("BAD_REQUEST", `code: ${message}`, { details });
}
