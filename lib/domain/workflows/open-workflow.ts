import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import { env } from "#lib/platform/config/env";
import { prisma } from "#lib/platform/db/prisma";

/**
 * Returns the address where a person sees and edits the draft.
 * @throws ApiError NOT_FOUND
 */
export async function openWorkflow(
  workspaceId: string,
  workflowId: string,
): Promise<{ url: string; draft_revision: number }> {
  const workflow = await prisma().workflow.findUnique({
    where: { id: workflowId, workspaceId, deletedAt: null },
    select: { draftRevision: true },
  });
  if (!workflow) throw workflowNotFound();
  const url = new URL(`/workflows/${workflowId}`, env().PUBLIC_BASE_URL).href;
  return { url, draft_revision: workflow.draftRevision };
}
