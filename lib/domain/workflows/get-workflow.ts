import type { InputSchema, OutputSchema } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { VERSION_STATUSES, type WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { asPublishedBefore } from "#lib/core/graph/checks/problem";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { findConnectionProblems } from "#lib/domain/connections/find-connection-problems";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { loadSurroundings } from "#lib/domain/workflows/checks/load-surroundings";
import { getDefinition, type ShownVersion } from "#lib/domain/workflows/get-definition";
import { webhookUrl } from "#lib/domain/workflows/webhook-url";
import { workflowNotFound } from "#lib/domain/workflows/workflow-not-found";
import { presentWorkflow, SELECT_WORKFLOWS, WORKFLOW_ROW } from "#lib/domain/workflows/workflow-row";
import {
  bigint,
  enumOf,
  filled,
  integer,
  json,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

/** How many versions the history shows. */
const VERSIONS_SHOWN = 100;

const selectWorkflow = defineStatement({
  name: "get_workflow",
  params: { workspaceId: uuid, workflowId: uuid },
  row: {
    ...WORKFLOW_ROW,
    subscription_id: filled(uuid),
    input_schema: nullable(json<InputSchema>()),
    output_schema: nullable(json<OutputSchema>()),
  },
  sql: `with workflow as (${SELECT_WORKFLOWS} and w.workspace_id = $1 and w.id = $2)
        select workflow.*, coalesce(s.id, w.subscription_id) as subscription_id, v.input_schema, v.output_schema
        from workflow join workflows w on w.id = workflow.id
        left join trigger_subscriptions s on s.workspace_id = w.workspace_id and s.workflow_id = w.id
        left join workflow_versions v on v.workflow_id = workflow.id and v.status = 'deployed'`,
  isPrepared: false,
});

const selectVersions = defineStatement({
  name: "list_versions",
  params: { workspaceId: uuid, workflowId: uuid, limit: bigint },
  row: {
    version: integer,
    status: enumOf(VERSION_STATUSES),
    created_at: timestamptz,
    note: nullable(text),
    published_by: nullable(text),
  },
  sql: `select v.version, v.status, v.created_at, v.note, u.name as published_by from workflow_versions v
        left join users u on u.id = v.published_by
        where v.workspace_id = $1 and v.workflow_id = $2 order by v.version desc limit $3`,
  isPrepared: false,
});

/**
 * Returns a workflow with its draft, its deployed version, or the version with a number.
 * @throws ApiError NOT_FOUND for an unknown workflow or version
 */
export async function getWorkflow(
  workspaceId: string,
  workflowId: string,
  version: ShownVersion = "draft",
  tx: Db = db(),
): Promise<WorkflowDetailObject> {
  const row = await selectWorkflow.first(tx, { workspaceId, workflowId });
  if (!row) throw workflowNotFound();
  const shown = await getDefinition(workspaceId, workflowId, version, tx);
  const surroundings = await loadSurroundings(tx, workspaceId, shown.definition, workflowId);
  const problems = [
    ...findProblems(shown.definition, row.deployed_version === null ? null : row.type, surroundings),
    ...(await findConnectionProblems(tx, workspaceId, shown.definition)),
  ];
  const versions = await selectVersions.all(tx, { workspaceId, workflowId, limit: VERSIONS_SHOWN });
  return {
    ...presentWorkflow(row),
    shown: shown.version ?? "draft",
    definition: shown.definition,
    ...(shown.notes === undefined ? {} : { notes: shown.notes }),
    ...(shown.orientation === undefined ? {} : { orientation: shown.orientation }),
    problems: shown.version === null ? problems : asPublishedBefore(problems),
    input_schema: row.input_schema,
    output_schema: row.output_schema,
    versions: versions.map((item) => ({ ...item, created_at: item.created_at.toISOString() })),
    ...(isWebhook(shown.definition) ? { webhook_url: webhookUrl(row.subscription_id) } : {}),
  };
}

/** Reports whether the workflow starts when its URL is called. */
function isWebhook({ nodes }: Definition): boolean {
  return nodes.some(({ type, data }) => STEP_KINDS[type].starts === "event_driven" && data.kind === "webhook");
}
