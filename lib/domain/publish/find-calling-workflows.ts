import type { InputSchema } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { subWorkflowKind } from "#lib/core/steps/sub-workflow/sub-workflow-kind";
import {
  type CallSamples,
  fieldNamesOf,
  SAMPLE_ROW,
  SAMPLED_CALLS,
  SINCE,
  WALKED_PER_CALLER,
  withHasMore,
} from "#lib/domain/publish/sample-calls";
import { array, jsonb, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

/** A workflow whose published version runs the action as a step. */
export interface CallingWorkflow extends CallSamples {
  id: string;
  name: string;
  /** The steps that run the action. */
  steps: GraphNode[];
}

/** The most workflows to return; a longer list helps no one. */
const MAX_WORKFLOWS = 50;

const selectCalling = defineStatement({
  name: "find_calling_workflows",
  params: { workspaceId: uuid, workflowId: uuid, fields: array(text), slug: text },
  row: { id: uuid, name: text, steps: jsonb<GraphNode[]>(), ...SAMPLE_ROW },
  // The workflow's newest calls are read once; the version of the parent run identifies the step that made a call.
  sql: `with recent as materialized (
          select walked.*, count(*) over () as walked from (
            select id, parent_run_id, created_at, input from runs
            where workspace_id = $1 and workflow_id = $2 and created_at > ${SINCE}
            order by created_at desc limit ${WALKED_PER_CALLER}) walked
        ), called as materialized (
          select r.*, parent.workflow_version_id as version_id,
            row_number() over (partition by parent.workflow_version_id order by r.created_at desc) as place
          from recent r join runs parent on parent.id = r.parent_run_id
        )
        select w.id, w.name, c.steps, coalesce(s.calls, 0) as calls, s.last_call_at,
          coalesce(s.samples, '[]') as samples, coalesce(s.walked, 0) as walked
        from workflows w
        join workflow_versions v on v.workflow_id = w.id and v.status = 'deployed'
        cross join lateral (
          select jsonb_agg(node) as steps from jsonb_array_elements(v.definition::jsonb -> 'nodes') node
          where node ->> 'type' = '${subWorkflowKind.type}' and node -> 'data' ->> 'action_slug' = $4
        ) c
        left join lateral (
          select ${SAMPLED_CALLS}, max(call.walked)::int as walked
          from called call where call.version_id = v.id
        ) s on true
        where w.workspace_id = $1 and w.id <> $2 and w.archived_at is null and w.deleted_at is null and c.steps is not null
        order by s.last_call_at desc nulls last, w.name limit ${MAX_WORKFLOWS}`,
  isPrepared: false,
});

/**
 * Finds the other workflows of the workspace that run an action as a step of their published version, with what those
 * steps sent in the last days. A workflow that calls itself is published with the change.
 * @param schemas the schemas whose fields are of interest
 */
export async function findCallingWorkflows(
  tx: Db,
  { workspaceId, workflowId, slug }: { workspaceId: string; workflowId: string; slug: string },
  schemas: readonly InputSchema[],
): Promise<CallingWorkflow[]> {
  const rows = await selectCalling.all(tx, { workspaceId, workflowId, fields: fieldNamesOf(schemas), slug });
  return rows.map(withHasMore);
}
