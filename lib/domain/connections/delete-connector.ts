import { ApiError } from "#lib/contract/error/api-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { assertUnused } from "#lib/domain/connections/delete-connection";
import { findConnectorUsage } from "#lib/domain/custom-connectors/find-connector-usage";
import { connectorNotFound } from "#lib/domain/custom-connectors/get-custom-connector";
import { text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { OPEN_RUNS } from "#lib/platform/db/open-runs-sql";
import type { Db } from "#lib/platform/db/pool";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface DeleteConnectorRequest {
  workspaceId: string;
  slug: string;
  actor: Actor;
}

const lockConnector = defineStatement({
  name: "lock_connector",
  params: { workspaceId: uuid, slug: text },
  row: { id: uuid, name: text },
  sql: "select id, name from connectors where workspace_id = $1 and slug = $2 for update",
  isPrepared: false,
});

const findOpenRun = defineStatement({
  name: "find_open_run_of_connector",
  params: { workspaceId: uuid, connectorId: uuid },
  row: { id: uuid },
  sql: `select r.id from workflow_version_connectors k join ${OPEN_RUNS} r on r.workflow_version_id = k.workflow_version_id
        where k.connector_id = $2 and r.workspace_id = $1 limit 1`,
  isPrepared: false,
});

/**
 * Deletes a custom connector with all its builds, unless a workflow uses it or an unfinished run may still call it.
 * Publishing locks the row before it keeps a build, so no version published at the same time is left without it.
 * @throws ApiError NOT_FOUND, CONNECTOR_IN_USE with `details.used_by`
 */
export async function deleteConnector(request: DeleteConnectorRequest): Promise<{ connector: string; deleted: true }> {
  const { workspaceId, slug, actor } = request;
  return prismaTransaction(async (tx) => {
    const row = await lockConnector.first(tx, { workspaceId, slug });
    if (!row) throw connectorNotFound(slug);
    assertUnused("CONNECTOR_IN_USE", row.name, await findConnectorUsage(tx, workspaceId, slug));
    await assertNoOpenRuns(tx, workspaceId, row);
    await tx.prisma.connector.deleteMany({ where: { workspaceId, id: row.id } });
    const details = { connector: slug, name: row.name };
    const action = "connector.deleted";
    await recordAudit(tx, { workspaceId, actor, action, objectType: "connector", objectId: row.id, details });
    return { connector: slug, deleted: true };
  });
}

/** Runs of versions that are no longer deployed but keep a build. */
async function assertNoOpenRuns(
  tx: Db,
  workspaceId: string,
  { id, name }: { id: string; name: string },
): Promise<void> {
  if (!(await findOpenRun.first(tx, { workspaceId, connectorId: id }))) return;
  const message = `Runs of an earlier version still use ${name}. Wait until they have ended, or cancel them.`;
  throw new ApiError("CONNECTOR_IN_USE", message, { details: { used_by: [] } });
}
