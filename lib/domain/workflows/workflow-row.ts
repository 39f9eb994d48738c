import { ACTION_STATUSES, APPROVAL_POLICIES } from "#lib/contract/action/action";
import { RUN_STATUSES } from "#lib/contract/run/run";
import { DELIVERY_VERDICTS, TRIGGER_KINDS } from "#lib/contract/trigger/trigger";
import { WORKFLOW_TYPES, type WorkflowObject } from "#lib/contract/workflow/workflow";
import {
  array,
  boolean,
  enumOf,
  integer,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";

/** A workflow with what the screens show next to it. */
export const WORKFLOW_ROW = {
  id: uuid,
  name: text,
  description: nullable(text),
  type: enumOf(WORKFLOW_TYPES),
  tags: array(text),
  owner: nullable(text),
  draft_revision: integer,
  created_at: timestamptz,
  updated_at: timestamptz,
  archived_at: nullable(timestamptz),
  deployed_version: nullable(integer),
  has_unpublished_changes: boolean,
  action_slug: nullable(text),
  action_status: nullable(enumOf(ACTION_STATUSES)),
  approval_policy: nullable(enumOf(APPROVAL_POLICIES)),
  trigger_kind: nullable(enumOf(TRIGGER_KINDS)),
  trigger_is_active: nullable(boolean),
  trigger_next_at: nullable(timestamptz),
  last_verdict: nullable(enumOf(DELIVERY_VERDICTS)),
  last_delivery_at: nullable(timestamptz),
  last_run_id: nullable(uuid),
  last_run_status: nullable(enumOf(RUN_STATUSES)),
  last_run_at: nullable(timestamptz),
};
export type WorkflowRow = RowOf<typeof WORKFLOW_ROW>;

/**
 * Normalizes a definition to what callers can distinguish: without positions, and without the order in which nodes and
 * edges were drawn.
 */
function comparable(definition: string): string {
  return `(select coalesce(jsonb_agg(n - 'position' order by n->>'id'), '[]') from jsonb_array_elements(${definition}::jsonb->'nodes') n),
          (select coalesce(jsonb_agg(jsonb_strip_nulls(e) order by e->>'id'), '[]') from jsonb_array_elements(${definition}::jsonb->'edges') e)`;
}

/** SQL that reports whether the draft of `w` differs from its deployed version `v`. */
export const HAS_UNPUBLISHED_CHANGES = `case when v.id is null then json_array_length(w.draft->'nodes') > 0
    else (${comparable("w.draft")}) is distinct from (${comparable("v.definition")}) end`;

/**
 * Selects WORKFLOW_ROW from `workflows w`; the caller adds `where`. Deleted workflows are never shown. The last run is
 * ordered by its workflow too, because only the workflow's own index has that order: if one workflow has nearly all
 * runs of a workspace, the planner otherwise walks through them to find the run of another workflow (7 s instead of 18
 * ms a page).
 */
export const SELECT_WORKFLOWS = `
  select w.id, w.name, w.description, w.type, w.tags, u.name as owner, w.draft_revision,
         w.created_at, w.updated_at, w.archived_at,
         v.version as deployed_version,
         ${HAS_UNPUBLISHED_CHANGES} as has_unpublished_changes,
         a.slug as action_slug, a.status as action_status, a.approval_policy,
         s.kind as trigger_kind, s.is_active as trigger_is_active,
         case when s.kind = 'schedule' then s.next_at end as trigger_next_at,
         d.verdict as last_verdict, d.received_at as last_delivery_at,
         r.id as last_run_id, r.status as last_run_status, r.created_at as last_run_at
  from workflows w
  left join users u on u.id = w.created_by
  left join workflow_versions v on v.workflow_id = w.id and v.status = 'deployed'
  left join actions a on a.workspace_id = w.workspace_id and a.workflow_id = w.id
  left join trigger_subscriptions s on s.workspace_id = w.workspace_id and s.workflow_id = w.id
  left join lateral (select verdict, received_at from trigger_deliveries where subscription_id = s.id
                     order by received_at desc limit 1) d on true
  left join lateral (select id, status, created_at from runs
                     where workspace_id = w.workspace_id and workflow_id between w.id and w.id
                     order by workflow_id desc, created_at desc, id desc limit 1) r on true
  where w.deleted_at is null`;

export function presentWorkflow(row: WorkflowRow): WorkflowObject {
  return {
    workflow_id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    tags: row.tags,
    owner: row.owner,
    draft_revision: row.draft_revision,
    deployed_version: row.deployed_version,
    has_unpublished_changes: row.has_unpublished_changes,
    action: presentAction(row),
    trigger: presentTrigger(row),
    last_run: presentLastRun(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    archived_at: row.archived_at?.toISOString() ?? null,
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

function presentTrigger(row: WorkflowRow): WorkflowObject["trigger"] {
  const { trigger_kind: kind, last_verdict: verdict, last_delivery_at: receivedAt } = row;
  if (kind === null) return null;
  return {
    kind,
    status: row.trigger_is_active ? "active" : "paused",
    next_at: row.trigger_next_at?.toISOString() ?? null,
    last_delivery: verdict === null || receivedAt === null ? null : { verdict, received_at: receivedAt.toISOString() },
  };
}
