import { ApiError } from "#lib/contract/error/api-error";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import type { Original } from "#lib/domain/runs/create/get-original";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { integer, json, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

/** The version that a replay runs. */
export interface ReplayTarget {
  /** Null for a test run of a draft. */
  versionId: string | null;
  /** The number of the version; null if the original has none. */
  version: number | null;
  definition: Definition;
  /** Null if there is nothing to validate against. */
  inputSchema: InputSchema | null;
}

const lockWorkflow = defineStatement({
  name: "lock_workflow_of_run",
  params: { runId: uuid, workspaceId: uuid },
  row: { id: uuid },
  sql: `select w.id from workflows w where w.workspace_id = $2
          and w.id = (select r.workflow_id from runs r where r.id = $1 and r.workspace_id = $2)
        for share of w`,
});

/**
 * Keeps the workflow of a run from being published until the transaction ends. Call it before anything else is locked: a
 * publish locks the workflow first and then its action.
 */
export async function lockWorkflowOfRun(tx: Db, { runId, workspaceId }: RunReference): Promise<void> {
  if (UUID_PATTERN.test(runId)) await lockWorkflow.first(tx, { runId, workspaceId });
}

const selectPublished = defineStatement({
  name: "get_published_version",
  params: { workspaceId: uuid, workflowId: uuid },
  row: {
    versionId: uuid,
    version: integer,
    definition: json<Definition>(),
    inputSchema: nullable(json<InputSchema>()),
  },
  sql: `select id as "versionId", version, definition, input_schema as "inputSchema"
        from workflow_versions
        where workspace_id = $1 and workflow_id = $2 and status = 'deployed'`,
});

/**
 * Returns the version that a call of the original's workflow would run now.
 * @throws ApiError BAD_REQUEST for a test run; ACTION_UNAVAILABLE if nothing is published
 */
export async function getPublishedVersion(
  tx: Db,
  workspaceId: string,
  { workflowId, versionId }: Original,
): Promise<ReplayTarget> {
  if (versionId === null) {
    throw new ApiError("BAD_REQUEST", "version: a test run has no published version. Test the draft again.");
  }
  const published = await selectPublished.first(tx, { workspaceId, workflowId });
  if (published) return published;
  throw new ApiError("action_without_release", "The workflow of this run has no published version.");
}
