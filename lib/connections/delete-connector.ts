import { type Actor, recordAudit } from "#lib/audit/record-audit";
import { assertUnused } from "#lib/connections/delete-connection";
import { findConnectorUsage } from "#lib/connections/find-connector-usage";
import { connectorNotFound } from "#lib/connections/get-custom-connector";
import { transaction } from "#lib/db/transaction";

interface DeleteConnectorRequest {
  workspaceId: string;
  slug: string;
  actor: Actor;
}

/**
 * Deletes a connector of the workspace's own with all its builds, unless a workflow names it. Publishing takes the row's
 * lock before it keeps a build, so no version that was published meanwhile is left without it.
 * @throws ApiError NOT_FOUND, CONNECTOR_IN_USE with `details.used_by`
 */
export async function deleteConnector(request: DeleteConnectorRequest): Promise<{ connector: string; deleted: true }> {
  const { workspaceId, slug, actor } = request;
  return transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string; name: string }>({
      text: "select id, name from connectors where workspace_id = $1 and slug = $2 for update",
      values: [workspaceId, slug],
    });
    const row = rows[0];
    if (!row) throw connectorNotFound(slug);
    assertUnused("CONNECTOR_IN_USE", row.name, await findConnectorUsage(tx, workspaceId, slug));
    await tx.query({
      text: "delete from connectors where workspace_id = $1 and id = $2",
      values: [workspaceId, row.id],
    });
    const details = { connector: slug, name: row.name };
    const action = "connector.deleted";
    await recordAudit(tx, { workspaceId, actor, action, objectType: "connector", objectId: row.id, details });
    return { connector: slug, deleted: true };
  });
}
