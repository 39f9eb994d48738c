import { integer, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

/** A custom connector as its latest build created it. */
export interface StoredDefinition {
  version: number;
  /** A CustomDefinition as JSON text: it may have four megabytes, and most callers only pass it on. */
  json: string;
}

const findLatest = defineStatement({
  name: "find_connector_definition",
  params: { workspaceId: uuid, slug: text },
  row: { version: integer, json: text },
  sql: `select c.version, v.definition::text as json
        from connectors c join connector_versions v on v.connector_id = c.id and v.version = c.version
        where c.workspace_id = $1 and c.slug = $2`,
  isPrepared: false,
});

/** Returns null if the workspace has no connector with this slug. */
export function findConnectorDefinition(workspaceId: string, slug: string): Promise<StoredDefinition | null> {
  return findLatest.first(db(), { workspaceId, slug });
}
