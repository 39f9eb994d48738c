import { prisma } from "#lib/platform/db/prisma";

/** Records that a session is in use. */
export async function noteSession(userId: string, sessionId: string): Promise<void> {
  await prisma().userSession.updateMany({ where: { userId, id: sessionId }, data: { lastSeenAt: new Date() } });
}
