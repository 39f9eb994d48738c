import { ApiError } from "#lib/contract/error/api-error";
import { ORIENTATIONS, type Orientation } from "#lib/contract/workflow/canvas-choices";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { Definition } from "#lib/contract/workflow/graph";
import { WORKFLOW_TYPES, type WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { assertDefinitionSize } from "#lib/core/graph/checks/assert-definition-size";
import { findMovedSecret } from "#lib/core/graph/checks/find-moved-secret";
import { keepSecrets } from "#lib/core/graph/checks/keep-secrets";
import { deriveType } from "#lib/core/graph/derive-type";
import { applyFixes } from "#lib/core/graph/edits/apply-fixes";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import type { GraphOperation } from "#lib/core/graph/edits/graph-operations";
import { placeNodes } from "#lib/core/graph/edits/place-nodes";
import { nodeLabel } from "#lib/core/steps/node-data";
import type { KeepAnswer } from "#lib/domain/repeats/answer-once";
import { assertDefinitionRoom } from "#lib/domain/workflows/assert-definition-room";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { loadSurroundings } from "#lib/domain/workflows/checks/load-surroundings";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { lockWorkflow } from "#lib/domain/workflows/lock-workflow";
import { sealTriggerSecrets } from "#lib/domain/workflows/seal-trigger-secrets";
import { pageUrl } from "#lib/platform/config/page-url";
import { boolean, enumOf, json, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, transaction } from "#lib/platform/db/pool";

interface WorkflowChanges {
  name?: string | undefined;
  /** Null removes it. */
  description?: string | null | undefined;
  /** The whole draft. */
  definition?: Definition | undefined;
  /** All notes on the canvas. */
  notes?: readonly CanvasNote[] | undefined;
  /** The direction in which it is drawn. */
  orientation?: Orientation | undefined;
  /** Changes to the draft as it is when the lock is acquired. */
  operations?: readonly GraphOperation[] | undefined;
  /** Applies every certain fix of the draft's problems, after the other changes. */
  appliesFixes?: boolean | undefined;
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
    draft: json<Definition>(),
    type: enumOf(WORKFLOW_TYPES),
    notes: nullable(jsonb<readonly CanvasNote[]>()),
    orientation: nullable(enumOf(ORIENTATIONS)),
  },
  sql: `update workflows set name = $3, description = case when $4 then $5 else description end, draft = $6,
          type = $7, canvas_notes = coalesce($8, canvas_notes),
          canvas_orientation = coalesce($9, canvas_orientation), draft_revision = draft_revision + 1, updated_at = now()
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
  keep?: KeepAnswer<WorkflowDetailObject>,
): Promise<WorkflowDetailObject> {
  return transaction(async (tx) => {
    const workflow = await lockWorkflow(tx, workspaceId, workflowId, expectedRevision);
    const changed = applyGraphOperations(changes.definition ?? workflow.draft, changes.operations ?? []);
    assertDefinitionSize(changed);
    const { definition: fixed, applied } = changes.appliesFixes
      ? await fixDraft(tx, workspaceId, keepSecrets(changed, workflow.draft))
      : { definition: changed, applied: [] };
    const placed = changes.placesNodes ? placeNodes(fixed) : fixed;
    const kept = keepSecrets(placed, workflow.draft);
    if (changes.isBlind) assertSecretsStay(workflowId, kept, workflow.draft);
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
      orientation: changes.orientation ?? null,
    });
    await assertDefinitionRoom(tx, workspaceId, { before: workflow.draft, after: draft });
    const saved = await getWorkflow(workspaceId, workflowId, "draft", tx);
    const answer = changes.appliesFixes ? { ...saved, applied_fixes: applied } : saved;
    await keep?.(tx, answer);
    return answer;
  });
}

function fixDraft(tx: Db, workspaceId: string, definition: Definition) {
  return applyFixes(definition, async (draft) =>
    findProblems(draft, null, await loadSurroundings(tx, workspaceId, draft, null)),
  );
}

/** @throws ApiError FORBIDDEN naming the setting that changed, the secret, and what to do instead */
function assertSecretsStay(workflowId: string, changed: Definition, before: Definition): void {
  const moved = findMovedSecret(changed, before);
  if (!moved) return;
  const { node, secret, changedId, field } = moved;
  const place = changedId === node.id ? field : `${changedId}.${field}`;
  const message =
    `${nodeLabel(node)} has a secret in ${secret} that an API key cannot read, and ${place} controls where the secret is sent. ` +
    `Leave ${place} unchanged, send your own value for ${secret}, or ask an editor to move the secret to a connection ` +
    `at ${pageUrl(`/workflows/${workflowId}`)}. Nothing was changed.`;
  throw new ApiError("person_required", message, {
    details: { node_id: node.id, secret_field: secret, changed_node_id: changedId, field, required_role: "editor" },
  });
}
