import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { tagWorkflows } from "#lib/domain/workflows/tag-workflows";

const NAME_MAX = 200;
const SUFFIX = " (copy)";

/**
 * Creates a separate workflow with the same draft, notes and tags, unpublished and without runs.
 * @throws ApiError NOT_FOUND
 */
export async function duplicateWorkflow(editor: Editor, workflowId: string): Promise<WorkflowDetailObject> {
  const { workspaceId } = editor;
  const { name, description, definition, notes, orientation, tags } = await getWorkflow(workspaceId, workflowId);
  const copy = await createWorkflow(editor, {
    name: `${name.slice(0, NAME_MAX - SUFFIX.length)}${SUFFIX}`,
    description,
    definition,
    notes,
    orientation,
  });
  if (tags.length > 0) await tagWorkflows(workspaceId, { workflowIds: [copy.workflow_id], add: tags, remove: [] });
  return { ...copy, tags };
}
