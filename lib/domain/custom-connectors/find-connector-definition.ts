import { db } from "#lib/platform/db/pool";

/** A custom connector as its latest build made it. */
export interface StoredDefinition {
  version: number;
  /** A CustomDefinition as JSON text: it may be of four megabytes, and most who ask hand it on. */
  json: string;
}

/** Null where the workspace has no connector of this slug. */
export async function findConnectorDefinition(workspaceId: string, slug: string): Promise<StoredDefinition | null> {
  const { rows } = await db().query<StoredDefinition>({
    text: `select c.version, v.definition::text as json
           from connectors c join connector_versions v on v.connector_id = c.id and v.version = c.version
           where c.workspace_id = $1 and c.slug = $2`,
    values: [workspaceId, slug],
  });
  return rows[0] ?? null;
}
