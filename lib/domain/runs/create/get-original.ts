import {
  ACTION_STATUSES,
  type ActionStatus,
  APPROVAL_POLICIES,
  type ApprovalPolicy,
} from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import { isTerminal, RUN_STATUSES, type TerminalRunStatus } from "#lib/contract/run/run";
import type { InputSchema, JsonObject } from "#lib/contract/wire/json-schema";
import { type Definition, EMPTY_DEFINITION } from "#lib/contract/workflow/graph";
import { draftInputSchema } from "#lib/core/graph/edits/draft-input-schema";
import { type RunReference, runNotFound } from "#lib/domain/runs/read/get-run";
import { inputContext } from "#lib/domain/runs/read/run-row";
import {
  array,
  boolean,
  bytea,
  enumOf,
  integer,
  json,
  nullable,
  type RowOf,
  text,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { unseal } from "#lib/platform/secrets/seal";
import { UUID_PATTERN } from "#lib/support/ids";

/** An ended run with everything a replay needs. */
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
  /** The input as it is shown, sanitized. */
  shownInput: JsonObject;
  correlationId: string;
  /** The actions that the key of the original is limited to; null is no limit. */
  allowedSlugs: string[] | null;
}

const ORIGINAL_ROW = {
  status: enumOf(RUN_STATUSES),
  workflow_id: uuid,
  is_deleted: boolean,
  workflow_version_id: nullable(uuid),
  definition: nullable(json<Definition>()),
  input_schema: nullable(json<InputSchema>()),
  action_id: nullable(uuid),
  action_slug: nullable(text),
  action_release_version: nullable(integer),
  input: json<JsonObject>(),
  input_sealed: nullable(bytea),
  correlation_id: text,
  allowed_action_slugs: nullable(array(text)),
};

const lockOriginal = defineStatement({
  name: "get_original",
  params: { runId: uuid, workspaceId: uuid, actionSlugs: nullable(array(text)) },
  row: ORIGINAL_ROW,
  sql: `select r.status, r.workflow_id, w.deleted_at is not null as is_deleted, r.workflow_version_id,
          coalesce(r.definition, (
            select v.definition from workflow_versions v where v.id = r.workflow_version_id)) as definition,
          (select v.input_schema from workflow_versions v where v.id = r.workflow_version_id) as input_schema,
          r.action_id, r.action_slug, r.action_release_version,
          coalesce(r.input_written, r.input::json) as input, r.input_sealed, r.correlation_id,
          coalesce(r.allowed_action_slugs, (select k.action_slugs from api_keys k where k.id = r.api_key_id))
            as allowed_action_slugs
        from runs r join workflows w on w.id = r.workflow_id
        where r.id = $1 and r.workspace_id = $2 and ($3::text[] is null or r.action_slug = any($3))
        for key share of r`,
});

/**
 * Returns the run to replay. Locks its row until the transaction ends, so that retention can't delete it in between; an
 * ended run no longer changes.
 * @throws ApiError RUN_NOT_FOUND, BAD_REQUEST while it has not ended or if its workflow was deleted
 */
export async function getOriginal(tx: Db, { workspaceId, runId, actionSlugs }: RunReference): Promise<Original> {
  if (!UUID_PATTERN.test(runId)) throw runNotFound();
  const row = await lockOriginal.first(tx, { runId, workspaceId, actionSlugs });
  if (!row) throw runNotFound();
  const { status } = row;
  if (!isTerminal(status)) {
    throw new ApiError("BAD_REQUEST", `The run is ${status}. Only a run that has ended can be replayed.`);
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
    action: await findAction(tx, workspaceId, row),
    input: row.input_sealed ? openInput(workspaceId, runId, row.input_sealed) : row.input,
    shownInput: row.input,
    correlationId: row.correlation_id,
    allowedSlugs: row.allowed_action_slugs,
  };
}

const lockAction = defineStatement({
  name: "get_original_action",
  params: { workspaceId: uuid, id: uuid },
  row: { status: enumOf(ACTION_STATUSES), approvalPolicy: enumOf(APPROVAL_POLICIES) },
  sql: `select status, approval_policy as "approvalPolicy" from actions
        where workspace_id = $1 and id = $2 for share`,
});

/**
 * Returns the action as it is now: its current policy decides whether a replay waits for approval, not the original's.
 */
async function findAction(tx: Db, workspaceId: string, row: RowOf<typeof ORIGINAL_ROW>): Promise<Original["action"]> {
  const { action_id: id, action_slug: slug, action_release_version: releaseVersion } = row;
  if (id === null || slug === null || releaseVersion === null) return null;
  const action = await lockAction.first(tx, { workspaceId, id });
  return action ? { id, slug, releaseVersion, ...action } : null;
}

function openInput(workspaceId: string, runId: string, sealed: Buffer): JsonObject {
  try {
    return unseal<JsonObject>(workspaceId, inputContext(runId), sealed);
  } catch (cause) {
    throw new ApiError("BAD_REQUEST", "The input of this run is no longer stored. Start a new run.", { cause });
  }
}
