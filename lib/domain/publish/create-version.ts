import type { Definition } from "#lib/contract/graph";
import type { InputSchema, OutputSchema } from "#lib/contract/json-schema";
import { pinConnectors } from "#lib/domain/custom-connectors/load-custom-connectors";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

interface NewVersion {
  workspaceId: string;
  workflowId: string;
  version: number;
  definition: Definition;
  inputSchema: InputSchema | null;
  outputSchema: OutputSchema | null;
  note: string | null;
  publishedBy: string | null;
}

/**
 * Writes the version that is deployed from now on; the one before becomes archived, never active again (contract,
 * Workflows and versions). The caller holds the workflow's lock.
 */
export async function createVersion(tx: Db, version: NewVersion): Promise<{ versionId: string }> {
  await tx.query({
    text: `update workflow_versions set status = 'archived'
           where workspace_id = $1 and workflow_id = $2 and status = 'deployed'`,
    values: [version.workspaceId, version.workflowId],
  });
  const versionId = uuidv7();
  await tx.query({
    text: `insert into workflow_versions (id, workspace_id, workflow_id, version, status, definition, input_schema,
                                          output_schema, note, published_by)
           values ($1, $2, $3, $4, 'deployed', $5, $6, $7, $8, $9)`,
    values: [
      versionId,
      version.workspaceId,
      version.workflowId,
      version.version,
      JSON.stringify(version.definition),
      version.inputSchema && JSON.stringify(version.inputSchema),
      version.outputSchema && JSON.stringify(version.outputSchema),
      version.note,
      version.publishedBy,
    ],
  });
  await pinConnectors(tx, version.workspaceId, versionId, version.definition);
  return { versionId };
}
