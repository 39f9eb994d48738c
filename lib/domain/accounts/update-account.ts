import { ApiError } from "#lib/contract/error/api-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface UpdateAccountRequest {
  userId: string;
  actor: Actor;
  name: string;
}

/**
 * Changes a person's own name in every workspace. The audit log and approvals keep the former name for earlier events.
 */
export async function updateAccount({ userId, actor, name }: UpdateAccountRequest) {
  return prismaTransaction(async (tx) => {
    const [user] = await tx.prisma.user.updateManyAndReturn({
      where: { id: userId },
      data: { name, updatedAt: new Date() },
      select: { id: true, name: true, email: true },
    });
    if (!user) throw new ApiError("not_signed_in", "Sign in to continue.");
    if (name !== actor.name) {
      const entry = { action: "user.renamed" as const, objectType: "user", objectId: userId };
      await recordAudit(tx, { ...entry, workspaceId: null, actor, details: { from: actor.name, to: name } });
    }
    return { user_id: user.id, name: user.name, email: user.email };
  });
}
