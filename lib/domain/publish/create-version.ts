import type { InputSchema, OutputSchema } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import { pinTools } from "#lib/domain/connections/tools/pin-tools";
import { pinConnectors } from "#lib/domain/custom-connectors/load-custom-connectors";
import { assertDefinitionRoom } from "#lib/domain/workflows/assert-definition-room";
import { integer, json, nullable, type ParamsOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

const archiveDeployed = defineStatement({
  name: "archive_deployed_version",
  params: { workspaceId: uuid, workflowId: uuid },
  sql: `update workflow_versions set status = 'archived'
        where workspace_id = $1 and workflow_id = $2 and status = 'deployed'`,
  isPrepared: false,
});

const NEW_VERSION = {
  workspaceId: uuid,
  workflowId: uuid,
  version: integer,
  definition: json<Definition>(),
  inputSchema: nullable(json<InputSchema>()),
  outputSchema: nullable(json<OutputSchema>()),
  note: nullable(text),
  publishedBy: nullable(uuid),
};

const insertVersion = defineStatement({
  name: "create_version",
  params: { id: uuid, ...NEW_VERSION },
  sql: `insert into workflow_versions (id, workspace_id, workflow_id, version, status, definition,
                                       input_schema, output_schema, note, published_by)
        values ($1, $2, $3, $4, 'deployed', $5, $6, $7, $8, $9)`,
  isPrepared: false,
});

/**
 * Writes the new deployed version. The previous one becomes archived and never active again (contract, Workflows and
 * versions). The caller holds the workflow's lock.
 * @throws ApiError QUOTA_EXCEEDED if the workspace stores too many definitions
 */
export async function createVersion(tx: Db, version: ParamsOf<typeof NEW_VERSION>): Promise<{ versionId: string }> {
  await archiveDeployed.run(tx, version);
  const versionId = uuidv7();
  await insertVersion.run(tx, { id: versionId, ...version });
  await assertDefinitionRoom(tx, version.workspaceId);
  await pinConnectors(tx, version.workspaceId, versionId, version.definition);
  await pinTools(tx, version.workspaceId, versionId, version.definition);
  return { versionId };
}
