import { ApiError } from "#lib/contract/api-error";
import type { ConnectorVersionObject, CustomAuth, CustomConnectorObject } from "#lib/contract/connector";
import { findConnectorUsage } from "#lib/domain/custom-connectors/find-connector-usage";
import { type Db, db } from "#lib/platform/db/pool";

interface ConnectorRow {
  id: string;
  name: string;
  description: string;
  base_url: string;
  auth: CustomAuth;
  version: number;
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
  operations: CustomConnectorObject["operations"];
}

/** The deepest history that is shown; beyond it only what published workflows keep is there. */
const VERSIONS_SHOWN = 50;

/**
 * A connector of the workspace's own: its operations in short, its builds and what uses it.
 * @throws ApiError NOT_FOUND
 */
export async function getCustomConnector(workspaceId: string, slug: string): Promise<CustomConnectorObject> {
  const { rows } = await db().query<ConnectorRow>({
    text: `select c.id, c.name, v.definition ->> 'description' as description, v.definition ->> 'baseUrl' as base_url,
                  v.definition ->> 'auth' as auth, c.version, c.created_at, c.updated_at,
                  (select u.name from users u where u.id = c.created_by) as created_by,
                  array(select jsonb_build_object('operation', o.value ->> 'name', 'name', o.value ->> 'title',
                          'description', o.value ->> 'description', 'method', upper(o.value ->> 'method'),
                          'path', o.value ->> 'path')
                        from jsonb_array_elements(v.definition -> 'operations') with ordinality as o (value, place)
                        order by o.place) as operations
           from connectors c join connector_versions v on v.connector_id = c.id and v.version = c.version
           where c.workspace_id = $1 and c.slug = $2`,
    values: [workspaceId, slug],
  });
  const row = rows[0];
  if (!row) throw connectorNotFound(slug);
  const { id, created_at, updated_at, ...rest } = row;
  return {
    connector: slug,
    ...rest,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    versions: await listVersions(db(), id),
    used_by: await findConnectorUsage(db(), workspaceId, slug),
  };
}

export function connectorNotFound(slug: string): ApiError {
  return new ApiError("NOT_FOUND", `There is no connector ${JSON.stringify(slug)}; list_connectors names them.`);
}

async function listVersions(tx: Db, connectorId: string): Promise<ConnectorVersionObject[]> {
  const { rows } = await tx.query<Omit<ConnectorVersionObject, "created_at"> & { created_at: Date }>({
    text: `select v.version, v.created_at, (select u.name from users u where u.id = v.created_by) as created_by, v.changes,
                  array(select jsonb_build_object('workflow_id', w.id, 'name', w.name, 'version', wv.version)
                        from workflow_version_connectors p
                        join workflow_versions wv on wv.id = p.workflow_version_id and wv.status = 'deployed'
                        join workflows w on w.id = wv.workflow_id and w.deleted_at is null
                        where p.connector_id = v.connector_id and p.connector_version = v.version
                        order by w.name, w.id) as used_by
           from connector_versions v where v.connector_id = $1 order by v.version desc limit $2`,
    values: [connectorId, VERSIONS_SHOWN],
  });
  return rows.map(({ created_at, ...version }) => ({ ...version, created_at: created_at.toISOString() }));
}
