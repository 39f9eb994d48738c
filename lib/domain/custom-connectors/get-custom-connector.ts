import { CONNECTORS } from "#lib/connectors/registry";
import {
  type ConnectorVersionObject,
  CUSTOM_AUTHS,
  type CustomConnectorObject,
} from "#lib/contract/connector/connector";
import { ApiError } from "#lib/contract/error/api-error";
import { findConnectorUsage } from "#lib/domain/custom-connectors/find-connector-usage";
import {
  array,
  bigint,
  enumOf,
  integer,
  jsonb,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { listSuggestions } from "#lib/support/list-suggestions";

const findConnector = defineStatement({
  name: "get_custom_connector",
  params: { workspaceId: uuid, slug: text },
  row: {
    id: uuid,
    name: text,
    description: text,
    base_url: text,
    auth: enumOf(CUSTOM_AUTHS),
    version: integer,
    created_at: timestamptz,
    updated_at: timestamptz,
    created_by: nullable(text),
    operations: array(jsonb<CustomConnectorObject["operations"][number]>()),
  },
  sql: `select c.id, c.name, v.definition ->> 'description' as description, v.definition ->> 'baseUrl' as base_url,
          v.definition ->> 'auth' as auth, c.version, c.created_at, c.updated_at,
          (select u.name from users u where u.id = c.created_by) as created_by,
          array(select jsonb_build_object('operation', o.value ->> 'name', 'name', o.value ->> 'title',
                  'description', o.value ->> 'description', 'method', upper(o.value ->> 'method'),
                  'path', o.value ->> 'path')
                from jsonb_array_elements(v.definition -> 'operations') with ordinality as o (value, place)
                order by o.place) as operations
        from connectors c join connector_versions v on v.connector_id = c.id and v.version = c.version
        where c.workspace_id = $1 and c.slug = $2`,
  isPrepared: false,
});

const selectVersions = defineStatement({
  name: "list_connector_versions",
  params: { workspaceId: uuid, connectorId: uuid, limit: bigint },
  row: {
    version: integer,
    created_at: timestamptz,
    created_by: nullable(text),
    changes: nullable(jsonb<NonNullable<ConnectorVersionObject["changes"]>>()),
    used_by: array(jsonb<ConnectorVersionObject["used_by"][number]>()),
  },
  sql: `select v.version, v.created_at, (select u.name from users u where u.id = v.created_by) as created_by, v.changes,
          array(select jsonb_build_object('workflow_id', w.id, 'name', w.name, 'version', wv.version)
                from workflow_version_connectors p
                join workflow_versions wv on wv.id = p.workflow_version_id and wv.status = 'deployed'
                join workflows w on w.workspace_id = $1 and w.id = wv.workflow_id and w.deleted_at is null
                where p.connector_id = v.connector_id and p.connector_version = v.version
                order by w.name, w.id) as used_by
        from connector_versions v where v.connector_id = $2 order by v.version desc limit $3`,
  isPrepared: false,
});

/** The longest history that is shown; older builds exist only if published workflows keep them. */
const VERSIONS_SHOWN = 50;

/**
 * Returns a custom connector of the workspace: an outline of its operations, its builds and what uses it.
 * @throws ApiError NOT_FOUND
 */
export async function getCustomConnector(workspaceId: string, slug: string): Promise<CustomConnectorObject> {
  const row = await findConnector.first(db(), { workspaceId, slug });
  if (!row) throw connectorNotFound(slug);
  const { id, created_at, updated_at, ...rest } = row;
  return {
    connector: slug,
    ...rest,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    versions: await listVersions(workspaceId, id),
    used_by: await findConnectorUsage(db(), workspaceId, slug),
  };
}

export function connectorNotFound(slug: string): ApiError {
  const { words } = listSuggestions(
    slug,
    CONNECTORS.map(({ name }) => name),
  );
  return new ApiError(
    "NOT_FOUND",
    `There is no connector ${JSON.stringify(slug)}${words || "."} Use list_connectors to see the names.`,
  );
}

/** @param known the names of the connector's operations */
export function operationNotFound(connector: string, operation: string, known: Iterable<string>): ApiError {
  const { words } = listSuggestions(operation, known);
  return new ApiError(
    "NOT_FOUND",
    `The connector ${connector} has no operation with this name${words || "."} get_connector_operations lists its operations.`,
  );
}

async function listVersions(workspaceId: string, connectorId: string): Promise<ConnectorVersionObject[]> {
  const rows = await selectVersions.all(db(), { workspaceId, connectorId, limit: VERSIONS_SHOWN });
  return rows.map(({ created_at, ...version }) => ({ ...version, created_at: created_at.toISOString() }));
}
