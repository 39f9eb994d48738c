import { endEverySession } from "#lib/domain/accounts/end-sessions";
import { lockUser } from "#lib/domain/accounts/lock-user";
import { isTwoStepOn } from "#lib/domain/accounts/two-step/get-two-step";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { prismaTransaction } from "#lib/platform/db/prisma";

/**
 * Removes every second factor of a person who lost them all, on behalf of the operator, and ends all of their sessions.
 * @returns whether two-step verification was on
 */
export async function turnOffTwoStep(userId: string, actor: Actor): Promise<boolean> {
  return prismaTransaction(async (tx) => {
    await lockUser(tx, userId);
    if (!(await isTwoStepOn(tx, userId))) return false;
    await tx.prisma.userTotp.deleteMany({ where: { userId } });
    await tx.prisma.userPasskey.deleteMany({ where: { userId } });
    await tx.prisma.userRecoveryCode.deleteMany({ where: { userId } });
    await endEverySession(tx.prisma, userId);
    const entry = { action: "user.two_step_turned_off" as const, objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, workspaceId: null, actor });
    return true;
  });
}
