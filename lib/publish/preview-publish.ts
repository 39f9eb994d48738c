import type { PublishPreview } from "#lib/contract/web";
import { db } from "#lib/db/pool";
import { deriveInputSchema } from "#lib/graph/derive-schemas";
import { schemaChanges } from "#lib/graph/schema-changes";
import { findPublished } from "#lib/publish/find-published";
import { getWorkflow } from "#lib/workflows/get-workflow";

/** What publishing the draft would meet and change, without changing anything. @throws ApiError NOT_FOUND */
export async function previewPublish(workspaceId: string, workflowId: string): Promise<PublishPreview> {
  const workflow = await getWorkflow(workspaceId, workflowId);
  const action = await findPublished(db(), workspaceId, workflowId);
  return {
    draft_revision: workflow.draft_revision,
    type: workflow.type,
    problems: workflow.problems,
    deployed_version: workflow.deployed_version,
    action: workflow.action,
    changes: action?.inputSchema ? schemaChanges(action.inputSchema, deriveInputSchema(workflow.definition)) : [],
  };
}
