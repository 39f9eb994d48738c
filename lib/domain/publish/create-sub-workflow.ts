import type { Definition } from "#lib/contract/workflow/graph";
import { deployWorkflowIn } from "#lib/domain/publish/deploy-workflow";
import { createWorkflowIn, type Editor } from "#lib/domain/workflows/create-workflow";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface SubWorkflow {
  name: string;
  definition: Definition;
  slug: string;
  /** False leaves it a draft: the step that runs it fails until someone publishes it under the slug. */
  publishes: boolean;
}

/**
 * Creates the callable workflow that steps were extracted to, and publishes it as an action, in one transaction: a
 * refusal leaves nothing behind, so the caller can correct it and try again.
 * @throws ApiError what createWorkflow and deployWorkflow throw
 */
export function createSubWorkflow(editor: Editor, { publishes, slug, ...workflow }: SubWorkflow) {
  return prismaTransaction(async (tx) => {
    const created = await createWorkflowIn(tx, editor, { ...workflow, description: null });
    const workflowId = created.workflow_id;
    if (publishes) await deployWorkflowIn(tx, editor, { workflowId, slug, note: "Extracted from another workflow" });
    return { workflow_id: workflowId, published: publishes };
  });
}
