import { ApiError } from "#lib/contract/error/api-error";
import {
  clearAccountAttempts,
  takeSignInAttempt,
  tooManyAttempts,
} from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { getMember } from "#lib/domain/workspaces/list-members";
import { lockMembers } from "#lib/domain/workspaces/lock-members";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

interface UnlockMemberRequest {
  workspaceId: string;
  actor: Actor;
  actorUserId: string;
  /** The member to let in again. */
  userId: string;
}

/**
 * Lets a member sign in again at once after too many failed attempts. The member may belong to other workspaces, so an
 * admin must not be able to guess without end by unlocking between the guesses.
 * @returns whether there were failed attempts
 * @throws ApiError FORBIDDEN below admin, NOT_FOUND, RATE_LIMIT_EXCEEDED if the member was unlocked too often
 */
export async function unlockMember({ workspaceId, actor, actorUserId, userId }: UnlockMemberRequest): Promise<boolean> {
  return prismaTransaction(async (tx) => {
    await lockMembers(tx, workspaceId, actorUserId, "admin");
    await getMember(tx, workspaceId, userId);
    const waitSeconds = await takeSignInAttempt(tx, "unlock", userId);
    if (waitSeconds > 0) throw tooManyAttempts(waitSeconds);
    return unlock(tx, userId, { workspaceId, actor });
  });
}

/**
 * The same on behalf of the operator, as often as they like.
 * @throws ApiError NOT_FOUND
 */
export async function unlockAccount(userId: string, actor: Actor): Promise<boolean> {
  return prismaTransaction((tx) => unlock(tx, userId, { workspaceId: null, actor }));
}

async function unlock(tx: PrismaTx, userId: string, by: { workspaceId: string | null; actor: Actor }) {
  const user = await tx.prisma.user.findUnique({ where: { id: userId }, select: { email: true, name: true } });
  if (!user) throw new ApiError("NOT_FOUND", "There is no such user.");
  const hadAttempts = await clearAccountAttempts(tx.prisma, userId, user.email);
  const entry = {
    action: "user.unlocked" as const,
    objectType: "user",
    objectId: userId,
    details: { name: user.name },
  };
  await recordAudit(tx, { ...entry, ...by });
  return hadAttempts;
}
