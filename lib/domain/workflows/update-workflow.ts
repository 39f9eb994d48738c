import type { CanvasNote } from "#lib/contract/canvas-note";
import type { Definition } from "#lib/contract/graph";
import { WORKFLOW_TYPES, type WorkflowDetailObject } from "#lib/contract/workflow";
import { assertDefinitionSize } from "#lib/core/graph/checks/assert-definition-size";
import { keepSecrets } from "#lib/core/graph/checks/typed-secrets";
import { deriveType } from "#lib/core/graph/derive-type";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { placeNodes } from "#lib/core/graph/edits/place-nodes";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { lockWorkflow } from "#lib/domain/workflows/lock-workflow";
import { sealTriggerSecrets } from "#lib/domain/workflows/seal-trigger-secrets";
import { boolean, enumOf, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";

interface WorkflowChanges {
  name?: string | undefined;
  /** Null removes it. */
  description?: string | null | undefined;
  /** The whole draft. */
  definition?: Definition | undefined;
  /** All notes on the canvas. */
  notes?: readonly CanvasNote[] | undefined;
  /** Changes to the draft as it is when the lock is acquired. */
  operations?: readonly GraphOperation[] | undefined;
  /** Assigns positions to nodes that have none. */
  placesNodes?: boolean | undefined;
}

const updateDraft = defineStatement({
  name: "update_workflow",
  params: {
    workspaceId: uuid,
    workflowId: uuid,
    name: text,
    hasDescription: boolean,
    description: nullable(text),
    draft: jsonb<Definition>(),
    type: enumOf(WORKFLOW_TYPES),
    notes: nullable(jsonb<readonly CanvasNote[]>()),
  },
  sql: `update workflows set name = $3, description = case when $4 then $5 else description end, draft = $6, type = $7,
          canvas_notes = coalesce($8, canvas_notes), draft_revision = draft_revision + 1, updated_at = now()
        where workspace_id = $1 and id = $2`,
  isPrepared: false,
});

/**
 * Saves a draft. Every save increases the revision, even for a moved node or a new name: the number distinguishes
 * concurrent saves, not different meanings.
 * @throws ApiError NOT_FOUND, REVISION_CONFLICT with `details.current_revision`, BAD_REQUEST for an operation that
 * cannot be applied, PAYLOAD_TOO_LARGE if the draft would be too large
 */
export async function updateWorkflow(
  workspaceId: string,
  workflowId: string,
  changes: WorkflowChanges,
  expectedRevision?: number,
): Promise<WorkflowDetailObject> {
  return transaction(async (tx) => {
    const workflow = await lockWorkflow(tx, workspaceId, workflowId, expectedRevision);
    const changed = applyGraphOperations(changes.definition ?? workflow.draft, changes.operations ?? []);
    assertDefinitionSize(changed);
    const placed = changes.placesNodes ? placeNodes(changed) : changed;
    const kept = keepSecrets(placed, workflow.draft);
    const draft = sealTriggerSecrets(workspaceId, kept, workflow.draft);
    // The type follows the draft until the first publish and is fixed from then on (decisions, The graph document).
    const type = workflow.latestVersion === 0 ? deriveType(draft) : workflow.type;
    await updateDraft.run(tx, {
      workspaceId,
      workflowId,
      name: changes.name ?? workflow.name,
      hasDescription: changes.description !== undefined,
      description: changes.description ?? null,
      draft,
      type,
      notes: changes.notes ?? null,
    });
    return getWorkflow(workspaceId, workflowId, "draft", tx);
  });
}
