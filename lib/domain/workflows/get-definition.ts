import { ApiError } from "#lib/contract/api-error";
import type { CanvasNote } from "#lib/contract/canvas-note";
import type { Definition } from "#lib/contract/graph";
import type { InputSchema, OutputSchema } from "#lib/contract/json-schema";
import { type Db, db } from "#lib/platform/db/pool";

export type ShownVersion = "draft" | "deployed" | number;

/** A definition, with the schemas it was published with; the draft has no number and no schemas yet. */
export interface DefinitionRow {
  version: number | null;
  definition: Definition;
  inputSchema: InputSchema | null;
  outputSchema: OutputSchema | null;
  /** Beside the draft; versions have none. */
  notes?: CanvasNote[];
}

/**
 * A workflow's draft, its deployed version or the version of a number. The caller has checked that the workflow is there.
 * @throws ApiError NOT_FOUND for a version there is not
 */
export async function getDefinition(
  workspaceId: string,
  workflowId: string,
  version: ShownVersion,
  tx: Db = db(),
): Promise<DefinitionRow> {
  const { rows } = await tx.query<DefinitionRow>(
    version === "draft"
      ? {
          text: `select null::int as version, draft as definition, null as "inputSchema", null as "outputSchema",
                   canvas_notes as notes
                 from workflows where workspace_id = $1 and id = $2`,
          values: [workspaceId, workflowId],
        }
      : {
          text: `select version, definition, input_schema as "inputSchema", output_schema as "outputSchema"
                 from workflow_versions
                 where workspace_id = $1 and workflow_id = $2
                   and case when $3::int is null then status = 'deployed' else version = $3 end`,
          values: [workspaceId, workflowId, version === "deployed" ? null : version],
        },
  );
  if (rows[0]) return rows[0];
  throw new ApiError(
    "NOT_FOUND",
    version === "deployed" ? "This workflow has not been published yet." : `This workflow has no version ${version}.`,
  );
}
