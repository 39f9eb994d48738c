import { ApiError } from "#lib/contract/error/api-error";
import type { Definition } from "#lib/contract/workflow/graph";
import { WORKFLOW_TYPES } from "#lib/contract/workflow/workflow";
import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import { boolean, enumOf, integer, json, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const LOCKED_ROW = {
  id: uuid,
  name: text,
  type: enumOf(WORKFLOW_TYPES),
  draft: json<Definition>(),
  draftRevision: integer,
  isArchived: boolean,
};

export interface LockedWorkflow extends RowOf<typeof LOCKED_ROW> {
  /** The newest version's number; 0 before the first publish. */
  latestVersion: number;
}

const lockRow = defineStatement({
  name: "lock_workflow",
  params: { workspaceId: uuid, workflowId: uuid },
  row: LOCKED_ROW,
  sql: `select id, name, type, draft, draft_revision as "draftRevision",
          archived_at is not null as "isArchived"
        from workflows where workspace_id = $1 and id = $2 and deleted_at is null for no key update`,
  isPrepared: false,
});

const selectLatestVersion = defineStatement({
  name: "get_latest_version",
  params: { workspaceId: uuid, workflowId: uuid },
  row: { latestVersion: integer },
  sql: `select coalesce(max(version), 0) as "latestVersion" from workflow_versions
        where workspace_id = $1 and workflow_id = $2`,
  isPrepared: false,
});

/**
 * Locks the workflow's row until the transaction ends, so that saves, publishes and deletions of one workflow take
 * turns. The versions are read in a separate statement, because one that waited for a lock would still see the other
 * tables as they were before the wait. Runs can be created meanwhile: their foreign keys lock no more than the row's
 * key, and a schedule that fires holds what a publish waits for.
 * @param expectedRevision the draft's revision as the caller knows it
 * @throws ApiError NOT_FOUND, REVISION_CONFLICT with `details.current_revision`
 */
export async function lockWorkflow(
  tx: Db,
  workspaceId: string,
  workflowId: string,
  expectedRevision?: number,
): Promise<LockedWorkflow> {
  const workflow = await lockRow.first(tx, { workspaceId, workflowId });
  if (!workflow) throw workflowNotFound();
  if (expectedRevision !== undefined && expectedRevision !== workflow.draftRevision) {
    throw new ApiError(
      "REVISION_CONFLICT",
      `The draft has changed: it is now at revision ${workflow.draftRevision}, not ${expectedRevision}.`,
      { details: { current_revision: workflow.draftRevision } },
    );
  }
  return { ...workflow, ...(await selectLatestVersion.one(tx, { workspaceId, workflowId })) };
}
