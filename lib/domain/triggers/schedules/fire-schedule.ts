import type { RunObject } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { Plan } from "#lib/contract/workspace/plans";
import type { ScheduleConfig } from "#lib/core/steps/trigger/trigger-data";
import { createRun } from "#lib/domain/runs/create/create-runs";
import { notActivated } from "#lib/domain/triggers/activation/set-trigger-status";
import { scheduleOutput } from "#lib/domain/triggers/subscription";
import { jsonb, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

interface FireRequest {
  workspaceId: string;
  plan: Plan;
  userId: string;
  workflowId: string;
}

const findSchedule = defineStatement({
  name: "find_schedule_to_fire",
  params: { workspaceId: uuid, workflowId: uuid },
  row: { config: jsonb<JsonObject>(), version_id: uuid, now: timestamptz },
  sql: `select s.config, v.id as version_id, clock_timestamp()::timestamptz(3) as now from trigger_subscriptions s
        join workflows w on w.id = s.workflow_id and w.deleted_at is null
        join workflow_versions v on v.workflow_id = w.id and v.status = 'deployed'
        where s.workspace_id = $1 and s.workflow_id = $2 and s.kind = 'schedule'`,
  isPrepared: false,
});

/**
 * Fires an activated schedule by hand, paused or not; its next moment does not change. The run counts for the person
 * and has source `manual`.
 * @throws ApiError NOT_FOUND, RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED
 */
export async function fireSchedule({ workspaceId, plan, userId, workflowId }: FireRequest): Promise<RunObject> {
  const row = await findSchedule.first(db(), { workspaceId, workflowId });
  if (!row) throw notActivated();
  const output = scheduleOutput(row.config as unknown as ScheduleConfig, row.now);
  const target = { workflowId, versionId: row.version_id, action: null, inputSchema: null };
  return createRun({
    workspaceId,
    plan,
    userId,
    source: "manual",
    dryRun: false,
    target,
    input: { output },
  });
}
