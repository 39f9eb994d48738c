import type { ActionStatus, ApprovalPolicy } from "#lib/contract/action";
import type { RunStatus } from "#lib/contract/run";
import type { WorkflowObject, WorkflowType } from "#lib/contract/workflow";

/** A workflow with what the screens show beside it. */
export interface WorkflowRow {
  id: string;
  name: string;
  description: string | null;
  type: WorkflowType;
  draft_revision: number;
  created_at: Date;
  updated_at: Date;
  deployed_version: number | null;
  has_unpublished_changes: boolean;
  action_slug: string | null;
  action_status: ActionStatus | null;
  approval_policy: ApprovalPolicy | null;
  last_run_id: string | null;
  last_run_status: RunStatus | null;
  last_run_at: Date | null;
}

/** A definition as callers can tell two apart: without positions, and without the order in which things were drawn. */
function comparable(definition: string): string {
  return `(select coalesce(jsonb_agg(n - 'position' order by n->>'id'), '[]') from jsonb_array_elements(${definition}->'nodes') n),
          (select coalesce(jsonb_agg(jsonb_strip_nulls(e) order by e->>'id'), '[]') from jsonb_array_elements(${definition}->'edges') e)`;
}

/** Selects WorkflowRow from `workflows w`; the caller adds `where`. Deleted workflows are never shown. */
export const SELECT_WORKFLOWS = `
  select w.id, w.name, w.description, w.type, w.draft_revision, w.created_at, w.updated_at,
         v.version as deployed_version,
         case when v.id is null then jsonb_array_length(w.draft->'nodes') > 0
              else (${comparable("w.draft")}) is distinct from (${comparable("v.definition")}) end as has_unpublished_changes,
         a.slug as action_slug, a.status as action_status, a.approval_policy,
         r.id as last_run_id, r.status as last_run_status, r.created_at as last_run_at
  from workflows w
  left join workflow_versions v on v.workflow_id = w.id and v.status = 'deployed'
  left join actions a on a.workspace_id = w.workspace_id and a.workflow_id = w.id
  left join lateral (select id, status, created_at from runs
                     where workspace_id = w.workspace_id and workflow_id = w.id
                     order by created_at desc, id desc limit 1) r on true
  where w.deleted_at is null`;

export function presentWorkflow(row: WorkflowRow): WorkflowObject {
  return {
    workflow_id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    draft_revision: row.draft_revision,
    deployed_version: row.deployed_version,
    has_unpublished_changes: row.has_unpublished_changes,
    action: presentAction(row),
    last_run: presentLastRun(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function presentAction(row: WorkflowRow): WorkflowObject["action"] {
  if (row.action_slug === null || row.action_status === null || row.approval_policy === null) return null;
  return { slug: row.action_slug, status: row.action_status, approval_policy: row.approval_policy };
}

function presentLastRun(row: WorkflowRow): WorkflowObject["last_run"] {
  if (row.last_run_id === null || row.last_run_status === null || row.last_run_at === null) return null;
  return { run_id: row.last_run_id, status: row.last_run_status, created_at: row.last_run_at.toISOString() };
}
