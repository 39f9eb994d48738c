import type { ConnectionUse } from "#lib/contract/connection/connection";
import { array, boolean, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const selectUses = defineStatement({
  name: "find_connection_usage",
  params: { workspaceId: uuid, connectionIds: array(text) },
  row: { connection_id: text, workflow_id: uuid, name: text, draft: boolean, deployed: boolean },
  sql: `with named as (
          select w.id, w.name, false as deployed,
                 jsonb_path_query(w.draft::jsonb, '$.nodes[*].data.connection_id') #>> '{}' as connection_id
          from workflows w where w.workspace_id = $1 and w.deleted_at is null
          union all
          select w.id, w.name, true, jsonb_path_query(v.definition::jsonb, '$.nodes[*].data.connection_id') #>> '{}'
          from workflows w join workflow_versions v on v.workflow_id = w.id and v.status = 'deployed'
          where w.workspace_id = $1 and w.deleted_at is null)
        select connection_id, id as workflow_id, name, bool_or(not deployed) as draft, bool_or(deployed) as deployed
        from named where connection_id = any($2) group by connection_id, id, name order by name, id`,
  isPrepared: false,
});

/** Finds the workflows that use each of these connections, in their draft or in their deployed version. */
export async function findUsage(
  tx: Db,
  workspaceId: string,
  connectionIds: readonly string[],
): Promise<Map<string, ConnectionUse[]>> {
  const usage = new Map<string, ConnectionUse[]>(connectionIds.map((id) => [id, []]));
  if (connectionIds.length === 0) return usage;
  const rows = await selectUses.all(tx, { workspaceId, connectionIds });
  for (const { connection_id: id, ...use } of rows) usage.get(id)?.push(use);
  return usage;
}
