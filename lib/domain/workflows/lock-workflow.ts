import { ApiError } from "#lib/contract/api-error";
import type { Definition } from "#lib/contract/graph";
import type { WorkflowType } from "#lib/contract/workflow";
import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import type { Db } from "#lib/platform/db/pool";

export interface LockedWorkflow {
  id: string;
  name: string;
  type: WorkflowType;
  draft: Definition;
  draftRevision: number;
  isArchived: boolean;
  /** The newest version's number; 0 before the first publish. */
  latestVersion: number;
}

/**
 * Takes the workflow's row until the transaction ends: savers, publishers and deleters of one workflow come one after
 * the other. The versions are read in a statement of their own, because one that waits for a lock would still see
 * the other tables as they were before it waited. Runs may be made meanwhile: their foreign keys ask for no more than
 * the row's key, and a schedule that fires holds what a publisher waits for.
 * @param expectedRevision what the caller believes the draft's revision to be
 * @throws ApiError NOT_FOUND, REVISION_CONFLICT with `details.current_revision`
 */
export async function lockWorkflow(
  tx: Db,
  workspaceId: string,
  workflowId: string,
  expectedRevision?: number,
): Promise<LockedWorkflow> {
  const { rows } = await tx.query<Omit<LockedWorkflow, "latestVersion">>({
    text: `select id, name, type, draft, draft_revision as "draftRevision",
             archived_at is not null as "isArchived" from workflows
           where workspace_id = $1 and id = $2 and deleted_at is null for no key update`,
    values: [workspaceId, workflowId],
  });
  const workflow = rows[0];
  if (!workflow) throw workflowNotFound();
  if (expectedRevision !== undefined && expectedRevision !== workflow.draftRevision) {
    throw new ApiError(
      "REVISION_CONFLICT",
      `The draft has changed meanwhile: it is at revision ${workflow.draftRevision}, not ${expectedRevision}.`,
      { details: { current_revision: workflow.draftRevision } },
    );
  }
  const versions = await tx.query<{ latest: number }>({
    text: `select coalesce(max(version), 0) as latest from workflow_versions where workspace_id = $1 and workflow_id = $2`,
    values: [workspaceId, workflowId],
  });
  return { ...workflow, latestVersion: versions.rows[0]?.latest ?? 0 };
}
