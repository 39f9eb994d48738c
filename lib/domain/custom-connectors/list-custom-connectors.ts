import { CUSTOM_AUTHS, type CustomConnectorItem } from "#lib/contract/connector/connector";
import { array, bigint, enumOf, integer, nullable, text, timestamptz, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** The number that one page shows; few workspaces have ten. */
const SHOWN_MAX = 100;

const selectConnectors = defineStatement({
  name: "list_custom_connectors",
  params: { workspaceId: uuid, limit: bigint },
  row: {
    slug: text,
    name: text,
    description: text,
    base_url: text,
    auth: enumOf(CUSTOM_AUTHS),
    version: integer,
    updated_at: timestamptz,
    created_by: nullable(text),
    /** By name. */
    operations: array(text),
  },
  sql: `select c.slug, c.name, v.definition ->> 'description' as description, v.definition ->> 'baseUrl' as base_url,
          v.definition ->> 'auth' as auth, c.version, c.updated_at,
          (select u.name from users u where u.id = c.created_by) as created_by,
          array(select o.value ->> 'name' from jsonb_array_elements(v.definition -> 'operations')
                with ordinality as o (value, place) order by o.place) as operations
        from connectors c join connector_versions v on v.connector_id = c.id and v.version = c.version
        where c.workspace_id = $1 order by c.slug limit $2`,
  isPrepared: false,
});

/**
 * Lists the workspace's custom connectors by slug. The schemas of their operations, which are large, stay in the
 * database.
 * @returns with `operations` by name
 */
export async function listCustomConnectors(
  workspaceId: string,
): Promise<(Omit<CustomConnectorItem, "operations"> & { operations: string[] })[]> {
  const rows = await selectConnectors.all(db(), { workspaceId, limit: SHOWN_MAX });
  return rows.map(({ slug, updated_at, ...row }) => ({
    connector: slug,
    ...row,
    updated_at: updated_at.toISOString(),
  }));
}
