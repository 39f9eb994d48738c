import { findConnectionProblems } from "#lib/connections/find-connection-problems";
import { ApiError } from "#lib/contract/api-error";
import type { Definition } from "#lib/contract/graph";
import type { InputSchema, OutputSchema } from "#lib/contract/json-schema";
import type { VersionStatus, WorkflowDetailObject } from "#lib/contract/workflow";
import { type Db, db } from "#lib/db/pool";
import { findProblems } from "#lib/workflows/find-problems";
import { workflowNotFound } from "#lib/workflows/workflow-not-found";
import { presentWorkflow, SELECT_WORKFLOWS, type WorkflowRow } from "#lib/workflows/workflow-row";

export type ShownVersion = "draft" | "deployed" | number;

/** How many versions the history shows. */
const VERSIONS_SHOWN = 100;

interface VersionRow {
  version: number;
  status: VersionStatus;
  created_at: Date;
  note: string | null;
}

interface DefinitionRow {
  version: number | null;
  definition: Definition;
}

/**
 * A workflow with its draft, its deployed version or the version of a number.
 * @throws ApiError NOT_FOUND for an unknown workflow or version
 */
export async function getWorkflow(
  workspaceId: string,
  workflowId: string,
  version: ShownVersion = "draft",
  tx: Db = db(),
): Promise<WorkflowDetailObject> {
  const { rows } = await tx.query<
    WorkflowRow & { input_schema: InputSchema | null; output_schema: OutputSchema | null }
  >({
    text: `with workflow as (${SELECT_WORKFLOWS} and w.workspace_id = $1 and w.id = $2)
           select workflow.*, v.input_schema, v.output_schema from workflow
           left join workflow_versions v on v.workflow_id = workflow.id and v.status = 'deployed'`,
    values: [workspaceId, workflowId],
  });
  const row = rows[0];
  if (!row) throw workflowNotFound();
  const shown = await getDefinition(tx, workspaceId, workflowId, version);
  const versions = await listVersions(tx, workspaceId, workflowId);
  return {
    ...presentWorkflow(row),
    shown: shown.version ?? "draft",
    definition: shown.definition,
    problems: [
      ...findProblems(shown.definition, row.deployed_version === null ? null : row.type),
      ...(await findConnectionProblems(tx, workspaceId, shown.definition)),
    ],
    input_schema: row.input_schema,
    output_schema: row.output_schema,
    versions: versions.map((item) => ({ ...item, created_at: item.created_at.toISOString() })),
  };
}

async function getDefinition(
  tx: Db,
  workspaceId: string,
  workflowId: string,
  version: ShownVersion,
): Promise<DefinitionRow> {
  const { rows } = await tx.query<DefinitionRow>(
    version === "draft"
      ? {
          text: "select null::int as version, draft as definition from workflows where workspace_id = $1 and id = $2",
          values: [workspaceId, workflowId],
        }
      : {
          text: `select version, definition from workflow_versions
                 where workspace_id = $1 and workflow_id = $2 and case when $3::int is null then status = 'deployed' else version = $3 end`,
          values: [workspaceId, workflowId, version === "deployed" ? null : version],
        },
  );
  if (rows[0]) return rows[0];
  throw new ApiError(
    "NOT_FOUND",
    version === "deployed" ? "This workflow has not been published yet." : `This workflow has no version ${version}.`,
  );
}

async function listVersions(tx: Db, workspaceId: string, workflowId: string): Promise<VersionRow[]> {
  const { rows } = await tx.query<VersionRow>({
    text: `select version, status, created_at, note from workflow_versions
           where workspace_id = $1 and workflow_id = $2 order by version desc limit $3`,
    values: [workspaceId, workflowId, VERSIONS_SHOWN],
  });
  return rows;
}
