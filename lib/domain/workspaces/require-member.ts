import { ApiError } from "#lib/contract/error/api-error";
import { prisma } from "#lib/platform/db/prisma";

/** @throws ApiError BAD_REQUEST if the user does not belong to the workspace */
export async function requireMember(workspaceId: string, userId: string): Promise<void> {
  const where = { workspaceId_userId: { workspaceId, userId } };
  const member = await prisma().workspaceMember.findUnique({ where, select: { userId: true } });
  if (!member) throw new ApiError("BAD_REQUEST", "This user does not belong to the workspace.");
}
