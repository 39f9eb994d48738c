import { prisma } from "#lib/platform/db/prisma";
import { UUID_PATTERN } from "#lib/support/ids";

/** Returns the name of a workflow of the workspace; null if there is none. */
export async function findWorkflowName(workspaceId: string, workflowId: string): Promise<string | null> {
  if (!UUID_PATTERN.test(workflowId)) return null;
  const found = await prisma().workflow.findFirst({ where: { id: workflowId, workspaceId }, select: { name: true } });
  return found?.name ?? null;
}
