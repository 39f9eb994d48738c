import type { RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import type { Plan } from "#lib/contract/workspace/plans";
import { draftEvent } from "#lib/core/graph/edits/draft-event";
import { createRun } from "#lib/domain/runs/create/create-runs";
import { notActivated } from "#lib/domain/triggers/activation/set-trigger-status";
import { json, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

interface WorkflowRun {
  workspaceId: string;
  plan: Plan;
  userId: string;
  workflowId: string;
  /** The event of the trigger (`draftEvent`). What it leaves out and can be made up is added. */
  event: JsonObject;
}

const findDeployed = defineStatement({
  name: "find_workflow_to_run",
  params: { workspaceId: uuid, workflowId: uuid },
  row: { definition: json<Definition>(), version_id: uuid, now: timestamptz },
  sql: `select v.definition, v.id as version_id, clock_timestamp()::timestamptz(3) as now from trigger_subscriptions s
        join workflows w on w.id = s.workflow_id and w.deleted_at is null and w.archived_at is null
        join workflow_versions v on v.workflow_id = w.id and v.status = 'deployed'
        where s.workspace_id = $1 and s.workflow_id = $2`,
  isPrepared: false,
});

/**
 * Starts the deployed version of an event_driven workflow by hand, paused or not; the next moment of a schedule does not
 * change. The run counts for the person and has source `manual`.
 * @throws ApiError NOT_FOUND, BAD_REQUEST for an event of another form, RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED
 */
export async function runWorkflow({ workspaceId, plan, userId, workflowId, event }: WorkflowRun): Promise<RunObject> {
  const row = await findDeployed.first(db(), { workspaceId, workflowId });
  if (!row) throw notActivated();
  const input = draftEvent(row.definition, event, row.now);
  const target = { workflowId, versionId: row.version_id, action: null, inputSchema: null };
  return createRun({ workspaceId, plan, userId, source: "manual", dryRun: false, target, input });
}
