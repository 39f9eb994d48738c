import { ApiError } from "#lib/contract/api-error";
import type { CanvasNote } from "#lib/contract/canvas-note";
import type { Definition } from "#lib/contract/graph";
import { WORKFLOW_TYPES, type WorkflowDetailObject } from "#lib/contract/workflow";
import { assertDefinitionSize } from "#lib/core/graph/checks/assert-definition-size";
import { findMovedSecret } from "#lib/core/graph/checks/find-moved-secret";
import { keepSecrets } from "#lib/core/graph/checks/keep-secrets";
import { deriveType } from "#lib/core/graph/derive-type";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { placeNodes } from "#lib/core/graph/edits/place-nodes";
import { nodeLabel } from "#lib/core/steps/node-data";
import { assertDefinitionRoom } from "#lib/domain/workflows/assert-definition-room";
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
  /** True for a caller who cannot read the secrets in the draft, and so must not move them either. */
  isBlind?: boolean | undefined;
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
 * cannot be applied, PAYLOAD_TOO_LARGE if the draft would be too large, QUOTA_EXCEEDED if the workspace stores too many, FORBIDDEN if a caller who cannot read a secret
 * changes where it goes
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
    if (changes.isBlind) assertSecretsStay(kept, workflow.draft);
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
    await assertDefinitionRoom(tx, workspaceId, { before: workflow.draft, after: draft });
    return getWorkflow(workspaceId, workflowId, "draft", tx);
  });
}

/** @throws ApiError FORBIDDEN naming the setting that changed, the secret, and what to do instead */
function assertSecretsStay(changed: Definition, before: Definition): void {
  const moved = findMovedSecret(changed, before);
  if (!moved) return;
  const { node, secret, changedId, field } = moved;
  const place = changedId === node.id ? field : `${changedId}.${field}`;
  const message =
    `${nodeLabel(node)} has a secret in ${secret} that an API key cannot read, and ${place} can decide where it goes. ` +
    `Leave ${place} as it is, send your own value for ${secret}, or ask an editor to move the secret to a connection in ` +
    "the web application. Nothing was changed.";
  throw new ApiError("person_required", message, {
    details: { node_id: node.id, secret_field: secret, changed_node_id: changedId, field, required_role: "editor" },
  });
}
