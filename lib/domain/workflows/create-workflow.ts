import { ORIENTATIONS, type Orientation } from "#lib/contract/workflow/canvas-choices";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { Definition } from "#lib/contract/workflow/graph";
import { WORKFLOW_TYPES, type WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { deriveType } from "#lib/core/graph/derive-type";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import type { KeepAnswer } from "#lib/domain/repeats/answer-once";
import { assertDefinitionRoom } from "#lib/domain/workflows/assert-definition-room";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { sealTriggerSecrets } from "#lib/domain/workflows/seal-trigger-secrets";
import { enumOf, json, jsonb, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, transaction } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

/** Who changes a workflow, and in which workspace. */
export interface Editor {
  workspaceId: string;
  /** The person who makes the change: the signed-in user or the key's creator; null for the administration. */
  userId: string | null;
  actor: Actor;
}

interface NewWorkflow {
  name: string;
  description: string | null;
  definition: Definition;
  notes?: readonly CanvasNote[] | undefined;
  orientation?: Orientation | undefined;
}

const insertWorkflow = defineStatement({
  name: "create_workflow",
  params: {
    id: uuid,
    workspaceId: uuid,
    name: text,
    description: nullable(text),
    type: enumOf(WORKFLOW_TYPES),
    draft: json<Definition>(),
    createdBy: nullable(uuid),
    notes: jsonb<readonly CanvasNote[]>(),
    orientation: enumOf(ORIENTATIONS),
  },
  sql: `insert into workflows (id, workspace_id, name, description, type, draft, created_by, canvas_notes,
          canvas_orientation)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  isPrepared: false,
});

/**
 * Creates a workflow. Its draft does not have to be publishable yet, and its type follows the draft (contract,
 * Workflows and versions).
 * @throws ApiError QUOTA_EXCEEDED if the workspace stores too many definitions
 */
export function createWorkflow(
  editor: Editor,
  workflow: NewWorkflow,
  keep?: KeepAnswer<WorkflowDetailObject>,
): Promise<WorkflowDetailObject> {
  return transaction(async (tx) => {
    const created = await createWorkflowIn(tx, editor, workflow);
    await keep?.(tx, created);
    return created;
  });
}

/** The same, as a part of a larger change. */
export async function createWorkflowIn(tx: Db, editor: Editor, workflow: NewWorkflow): Promise<WorkflowDetailObject> {
  const id = uuidv7();
  await insertWorkflow.run(tx, {
    id,
    workspaceId: editor.workspaceId,
    name: workflow.name,
    description: workflow.description,
    type: deriveType(workflow.definition),
    draft: sealTriggerSecrets(editor.workspaceId, workflow.definition),
    createdBy: editor.userId,
    notes: workflow.notes ?? [],
    orientation: workflow.orientation ?? "vertical",
  });
  await assertDefinitionRoom(tx, editor.workspaceId);
  await recordAudit(tx, {
    workspaceId: editor.workspaceId,
    actor: editor.actor,
    action: "workflow.created",
    objectType: "workflow",
    objectId: id,
    details: { name: workflow.name },
  });
  return getWorkflow(editor.workspaceId, id, "draft", tx);
}
