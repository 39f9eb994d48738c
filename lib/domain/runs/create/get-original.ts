import type { ActionStatus, ApprovalPolicy } from "#lib/contract/action";
import { ApiError } from "#lib/contract/api-error";
import { type Definition, EMPTY_DEFINITION } from "#lib/contract/graph";
import type { InputSchema, JsonObject } from "#lib/contract/json-schema";
import { isTerminal, type RunStatus, type TerminalRunStatus } from "#lib/contract/run";
import { draftInputSchema } from "#lib/core/graph/edits/draft-input-schema";
import { inputContext } from "#lib/domain/journal/checkpoints/sealed-contexts";
import { type RunReference, runNotFound } from "#lib/domain/runs/read/get-run";
import type { Db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";
import { UUID_PATTERN } from "#lib/support/ids";

/** An ended run as its replay needs it. */
export interface Original {
  id: string;
  status: TerminalRunStatus;
  workflowId: string;
  /** Null for a test run of a draft. */
  versionId: string | null;
  definition: Definition;
  inputSchema: InputSchema | null;
  action: {
    id: string;
    slug: string;
    releaseVersion: number;
    status: ActionStatus;
    approvalPolicy: ApprovalPolicy;
  } | null;
  /** The caller's own values. */
  input: JsonObject;
  /** The input as everybody sees it. */
  shownInput: JsonObject;
  correlationId: string;
}

interface OriginalRow {
  status: RunStatus;
  workflow_id: string;
  is_deleted: boolean;
  workflow_version_id: string | null;
  definition: Definition | null;
  input_schema: InputSchema | null;
  action_id: string | null;
  action_slug: string | null;
  action_release_version: number | null;
  input: JsonObject;
  input_sealed: Buffer | null;
  correlation_id: string;
}

/**
 * The run to be replayed. Its row is held until the transaction ends, so that retention does not delete it meanwhile; an
 * ended run changes no more.
 * @throws ApiError RUN_NOT_FOUND, BAD_REQUEST while it has not ended or when its workflow was deleted
 */
export async function getOriginal(tx: Db, { workspaceId, runId, actionSlugs }: RunReference): Promise<Original> {
  if (!UUID_PATTERN.test(runId)) throw runNotFound();
  const { rows } = await tx.query<OriginalRow>({
    name: "get_original",
    text: `select r.status, r.workflow_id, w.deleted_at is not null as is_deleted, r.workflow_version_id,
             coalesce(r.definition, (select v.definition from workflow_versions v where v.id = r.workflow_version_id))
               as definition,
             (select v.input_schema from workflow_versions v where v.id = r.workflow_version_id) as input_schema,
             r.action_id, r.action_slug, r.action_release_version, r.input, r.input_sealed, r.correlation_id
           from runs r join workflows w on w.id = r.workflow_id
           where r.id = $1 and r.workspace_id = $2 and ($3::text[] is null or r.action_slug = any($3))
           for key share of r`,
    values: [runId, workspaceId, actionSlugs],
  });
  const row = rows[0];
  if (!row) throw runNotFound();
  const { status } = row;
  if (!isTerminal(status)) {
    throw new ApiError("BAD_REQUEST", `The run is ${status}: only a run that has ended can be replayed.`);
  }
  if (row.is_deleted) throw new ApiError("BAD_REQUEST", "The workflow of this run was deleted.");
  return {
    id: runId,
    status,
    workflowId: row.workflow_id,
    versionId: row.workflow_version_id,
    definition: row.definition ?? EMPTY_DEFINITION,
    inputSchema:
      row.workflow_version_id === null && row.definition ? draftInputSchema(row.definition) : row.input_schema,
    action: await findAction(tx, row),
    input: row.input_sealed ? openInput(workspaceId, runId, row.input_sealed) : row.input,
    shownInput: row.input,
    correlationId: row.correlation_id,
  };
}

/** The action as it is now: whether it makes runs wait is decided by its present policy, not by the original's. */
async function findAction(tx: Db, row: OriginalRow): Promise<Original["action"]> {
  const { action_id: id, action_slug: slug, action_release_version: releaseVersion } = row;
  if (id === null || slug === null || releaseVersion === null) return null;
  const { rows } = await tx.query<{ status: ActionStatus; approvalPolicy: ApprovalPolicy }>({
    name: "get_original_action",
    text: `select status, approval_policy as "approvalPolicy" from actions where id = $1 for share`,
    values: [id],
  });
  const action = rows[0];
  return action ? { id, slug, releaseVersion, ...action } : null;
}

function openInput(workspaceId: string, runId: string, sealed: Buffer): JsonObject {
  try {
    return unseal<JsonObject>(workspaceId, inputContext(runId), sealed);
  } catch (cause) {
    throw new ApiError("BAD_REQUEST", "The input of this run is no longer kept: start a new run.", { cause });
  }
}
