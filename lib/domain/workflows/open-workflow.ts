import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";

/** Where a person sees and changes the draft. @throws ApiError NOT_FOUND */
export async function openWorkflow(
  workspaceId: string,
  workflowId: string,
): Promise<{ url: string; draft_revision: number }> {
  const { rows } = await db().query<{ draft_revision: number }>({
    text: "select draft_revision from workflows where workspace_id = $1 and id = $2 and deleted_at is null",
    values: [workspaceId, workflowId],
  });
  if (!rows[0]) throw workflowNotFound();
  const url = new URL(`/workflows/${workflowId}`, env().PUBLIC_BASE_URL).href;
  return { url, draft_revision: rows[0].draft_revision };
}
