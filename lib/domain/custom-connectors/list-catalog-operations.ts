import { CUSTOM_AUTHS } from "#lib/contract/connector/connector";
import { LIMITS } from "#lib/contract/limits";
import { bigint, enumOf, integer, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const CATALOG_OPERATION = {
  slug: text,
  name: text,
  description: text,
  base_url: text,
  auth: enumOf(CUSTOM_AUTHS),
  operation: text,
  title: text,
  about: text,
};
export type CatalogOperationRow = RowOf<typeof CATALOG_OPERATION>;

const selectOperations = defineStatement({
  name: "list_catalog_operations",
  params: { workspaceId: uuid, characters: integer, limit: bigint },
  row: CATALOG_OPERATION,
  sql: `select c.slug, c.name, v.definition ->> 'description' as description, v.definition ->> 'baseUrl' as base_url,
          v.definition ->> 'auth' as auth, o.value ->> 'name' as operation, o.value ->> 'title' as title,
          left(o.value ->> 'description', $2) as about
        from connectors c join connector_versions v on v.connector_id = c.id and v.version = c.version,
          jsonb_array_elements(v.definition -> 'operations') with ordinality as o (value, place)
        where c.workspace_id = $1 order by c.slug, o.place limit $3`,
  isPrepared: false,
});

/** Lists the operations of the workspace's custom connectors, by connector and in their own order, without schemas. */
export function listCatalogOperations(workspaceId: string): Promise<CatalogOperationRow[]> {
  const { catalogDescriptionCharacters: characters, catalogOperations: limit } = LIMITS;
  return selectOperations.all(db(), { workspaceId, characters, limit });
}
