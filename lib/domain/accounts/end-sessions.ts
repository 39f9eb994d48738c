import { ApiError } from "#lib/contract/api-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { type PrismaDb, prismaTransaction } from "#lib/platform/db/prisma";

interface EndSessionsRequest {
  userId: string;
  actor: Actor;
  /** The session that asks. */
  currentId: string | null;
  /** One of the person's; left out: all but the one that asks. */
  sessionId?: string;
}

/** Ends sessions of a person with their next request. @throws ApiError NOT_FOUND for one that is over, or another's */
export async function endSessions(request: EndSessionsRequest): Promise<number> {
  const { userId, actor, currentId, sessionId } = request;
  return prismaTransaction(async (tx) => {
    const others = currentId === null ? {} : { id: { not: currentId } };
    const which = sessionId === undefined ? others : { id: sessionId };
    const { count } = await tx.prisma.userSession.deleteMany({ where: { userId, ...which } });
    if (count === 0 && sessionId !== undefined) throw new ApiError("NOT_FOUND", "This session is over already.");
    if (count === 0) return 0;
    const entry = { action: "user.sessions_ended", objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, workspaceId: null, actor, details: { count } });
    return count;
  });
}

/** Every session of a person, in the transaction of what ends them; by the epoch also one that begins meanwhile. */
export async function endEverySession(prisma: PrismaDb, userId: string): Promise<void> {
  await prisma.user.updateMany({ where: { id: userId }, data: { sessionEpoch: { increment: 1 } } });
  await prisma.userSession.deleteMany({ where: { userId } });
}
