import { endEverySession } from "#lib/domain/accounts/end-sessions";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { prismaTransaction } from "#lib/platform/db/prisma";

/**
 * Ends every session of a person from its next request on, including the one that asks (findMember compares the epoch).
 */
export async function signOutEverywhere(userId: string, actor: Actor): Promise<void> {
  await prismaTransaction(async (tx) => {
    await endEverySession(tx.prisma, userId);
    const entry = { action: "user.signed_out_everywhere" as const, objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, workspaceId: null, actor });
  });
}
