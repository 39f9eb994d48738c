import { ApiError } from "#lib/contract/error/api-error";
import type { InputSchema, OutputSchema } from "#lib/contract/wire/json-schema";
import { ORIENTATIONS, type Orientation } from "#lib/contract/workflow/canvas-choices";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { Definition } from "#lib/contract/workflow/graph";
import { enumOf, integer, json, jsonb, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

export type ShownVersion = "draft" | "deployed" | number;

/** A definition with the schemas it was published with. The draft has no number and no schemas yet. */
export interface DefinitionRow {
  version: number | null;
  definition: Definition;
  inputSchema: InputSchema | null;
  outputSchema: OutputSchema | null;
  /** Stored next to the draft; versions have none. */
  notes?: CanvasNote[];
  orientation?: Orientation;
}

const selectDraft = defineStatement({
  name: "get_draft",
  params: { workspaceId: uuid, workflowId: uuid },
  row: { definition: json<Definition>(), notes: jsonb<CanvasNote[]>(), orientation: enumOf(ORIENTATIONS) },
  sql: `select draft as definition, canvas_notes as notes, canvas_orientation as orientation
        from workflows
        where workspace_id = $1 and id = $2`,
  isPrepared: false,
});

const selectVersion = defineStatement({
  name: "get_version",
  params: { workspaceId: uuid, workflowId: uuid, version: nullable(integer) },
  row: {
    version: integer,
    definition: json<Definition>(),
    inputSchema: nullable(json<InputSchema>()),
    outputSchema: nullable(json<OutputSchema>()),
  },
  sql: `select version, definition, input_schema as "inputSchema",
          output_schema as "outputSchema"
        from workflow_versions
        where workspace_id = $1 and workflow_id = $2
          and case when $3::int is null then status = 'deployed' else version = $3 end`,
  isPrepared: false,
});

/**
 * Returns a workflow's draft, its deployed version, or the version with a number. The caller has checked that the
 * workflow exists.
 * @throws ApiError NOT_FOUND for an unknown version
 */
export async function getDefinition(
  workspaceId: string,
  workflowId: string,
  version: ShownVersion,
  tx: Db = db(),
): Promise<DefinitionRow> {
  if (version === "draft") {
    const draft = await selectDraft.first(tx, { workspaceId, workflowId });
    if (draft) return { version: null, inputSchema: null, outputSchema: null, ...draft };
  } else {
    const number = version === "deployed" ? null : version;
    const found = await selectVersion.first(tx, { workspaceId, workflowId, version: number });
    if (found) return found;
  }
  throw new ApiError(
    "NOT_FOUND",
    version === "deployed" ? "This workflow has not been published yet." : `This workflow has no version ${version}.`,
  );
}
