import type { Plan } from "#lib/contract/workspace/plans";
import type { PrismaDb } from "#lib/platform/db/prisma";

/** Changes a workspace's plan (contract, Limits). Keys above a smaller plan's quota stay valid. */
export async function setPlan(prisma: PrismaDb, workspaceId: string, plan: Plan): Promise<void> {
  await prisma.workspace.updateMany({ where: { id: workspaceId }, data: { plan, updatedAt: new Date() } });
}
