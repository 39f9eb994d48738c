import { ApiError } from "#lib/contract/error/api-error";
import type { AuditAction } from "#lib/contract/workspace/audit-actions";
import { lockUser } from "#lib/domain/accounts/lock-user";
import { requireRecentSignIn } from "#lib/domain/accounts/require-recent-sign-in";
import { isTwoStepOn } from "#lib/domain/accounts/two-step/get-two-step";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

interface RemoveFactorRequest {
  userId: string;
  actor: Actor;
  sessionId: string | null;
  /** The id of a passkey; the authenticator app if left out. */
  passkeyId?: string | undefined;
}

/**
 * Removes a second factor. Without the last one two-step verification is off, and recovery codes open nothing.
 * @throws ApiError FORBIDDEN without a recent sign-in, NOT_FOUND
 */
export async function removeFactor({ userId, actor, sessionId, passkeyId }: RemoveFactorRequest): Promise<void> {
  await prismaTransaction(async (tx) => {
    await lockUser(tx, userId);
    await requireRecentSignIn(tx, userId, sessionId);
    const audit = (action: AuditAction, details = {}) =>
      recordAudit(tx, { workspaceId: null, actor, action, objectType: "user", objectId: userId, details });
    if (passkeyId === undefined) {
      await removeAuthenticator(tx, userId);
      await audit("user.authenticator_removed");
    } else {
      await audit("user.passkey_removed", { name: await removePasskey(tx, userId, passkeyId) });
    }
    if (await isTwoStepOn(tx, userId)) return;
    await tx.prisma.userRecoveryCode.deleteMany({ where: { userId } });
    await audit("user.two_step_turned_off");
  });
}

async function removeAuthenticator(tx: PrismaTx, userId: string): Promise<void> {
  const { count } = await tx.prisma.userTotp.deleteMany({ where: { userId, confirmedAt: { not: null } } });
  if (count === 0) throw new ApiError("NOT_FOUND", "No authenticator app is set up.");
}

async function removePasskey(tx: PrismaTx, userId: string, id: string): Promise<string> {
  const passkey = await tx.prisma.userPasskey.findFirst({ where: { userId, id }, select: { name: true } });
  if (!passkey) throw new ApiError("NOT_FOUND", "This passkey was already removed.");
  await tx.prisma.userPasskey.deleteMany({ where: { userId, id } });
  return passkey.name;
}
