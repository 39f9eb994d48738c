import type { CustomAuth, CustomConnectorItem } from "#lib/contract/connector";
import { db } from "#lib/platform/db/pool";

/** As many as one page shows; few workspaces have ten. */
const SHOWN_MAX = 100;

interface ItemRow {
  slug: string;
  name: string;
  description: string;
  base_url: string;
  auth: CustomAuth;
  /** By name. */
  operations: string[];
  version: number;
  created_by: string | null;
  updated_at: Date;
}

/**
 * The workspace's own connectors by slug. What is large of them, the schemas of their operations, stays in the database.
 * @returns with `operations` by name
 */
export async function listCustomConnectors(
  workspaceId: string,
): Promise<(Omit<CustomConnectorItem, "operations"> & { operations: string[] })[]> {
  const { rows } = await db().query<ItemRow>({
    text: `select c.slug, c.name, v.definition ->> 'description' as description, v.definition ->> 'baseUrl' as base_url,
                  v.definition ->> 'auth' as auth, c.version, c.updated_at,
                  (select u.name from users u where u.id = c.created_by) as created_by,
                  array(select o.value ->> 'name' from jsonb_array_elements(v.definition -> 'operations')
                        with ordinality as o (value, place) order by o.place) as operations
           from connectors c join connector_versions v on v.connector_id = c.id and v.version = c.version
           where c.workspace_id = $1 order by c.slug limit $2`,
    values: [workspaceId, SHOWN_MAX],
  });
  return rows.map(({ slug, updated_at, ...row }) => ({
    connector: slug,
    ...row,
    updated_at: updated_at.toISOString(),
  }));
}
