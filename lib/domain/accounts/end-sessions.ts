import { ApiError } from "#lib/contract/error/api-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { type PrismaDb, prismaTransaction } from "#lib/platform/db/prisma";

interface EndSessionsRequest {
  userId: string;
  actor: Actor;
  /** The session that sends the request. */
  currentId: string | null;
  /** One session of the person; defaults to all except the one that asks. */
  sessionId?: string;
}

/**
 * Ends sessions of a person from their next request on.
 * @throws ApiError NOT_FOUND for a session that has ended or belongs to another person
 */
export async function endSessions(request: EndSessionsRequest): Promise<number> {
  const { userId, actor, currentId, sessionId } = request;
  return prismaTransaction(async (tx) => {
    const others = currentId === null ? {} : { id: { not: currentId } };
    const which = sessionId === undefined ? others : { id: sessionId };
    const { count } = await tx.prisma.userSession.deleteMany({ where: { userId, ...which } });
    if (count === 0 && sessionId !== undefined) throw new ApiError("NOT_FOUND", "This session has already ended.");
    if (count === 0) return 0;
    const entry = { action: "user.sessions_ended" as const, objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, workspaceId: null, actor, details: { count } });
    return count;
  });
}

/**
 * Ends every session of a person, in the transaction that requires it. The epoch also ends a session that starts
 * meanwhile.
 */
export async function endEverySession(prisma: PrismaDb, userId: string): Promise<void> {
  await endOtherSessions(prisma, userId, null);
}

/**
 * Does the same, except that one session continues: its row gets the new epoch, because its cookie has the old one.
 * Tickets, known devices and sign-ins in progress have the old epoch too, so none of them works afterwards.
 */
export async function endOtherSessions(prisma: PrismaDb, userId: string, currentId: string | null): Promise<void> {
  const [user] = await prisma.user.updateManyAndReturn({
    where: { id: userId },
    data: { sessionEpoch: { increment: 1 } },
    select: { sessionEpoch: true },
  });
  const others = currentId === null ? {} : { id: { not: currentId } };
  await prisma.userSession.deleteMany({ where: { userId, ...others } });
  if (!user || currentId === null) return;
  await prisma.userSession.updateMany({ where: { userId, id: currentId }, data: { epoch: user.sessionEpoch } });
}
