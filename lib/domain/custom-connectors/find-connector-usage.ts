import type { ConnectionUse } from "#lib/contract/connection/connection";
import { boolean, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const selectUses = defineStatement({
  name: "find_connector_usage",
  params: { workspaceId: uuid, slug: text },
  row: { workflow_id: uuid, name: text, draft: boolean, deployed: boolean },
  sql: `with named as (
          select w.id, w.name, false as deployed, w.draft as definition
          from workflows w where w.workspace_id = $1 and w.deleted_at is null
          union all
          select w.id, w.name, true, v.definition
          from workflows w join workflow_versions v on v.workflow_id = w.id and v.status = 'deployed'
          where w.workspace_id = $1 and w.deleted_at is null)
        select id as workflow_id, name, bool_or(not deployed) as draft, bool_or(deployed) as deployed
        from named
        where jsonb_path_exists(definition::jsonb, '$.nodes[*] ? (@.type == "connector" && @.data.connector == $slug)',
                                jsonb_build_object('slug', $2::text))
        group by id, name order by name, id`,
  isPrepared: false,
});

/** Finds the workflows that use a custom connector, in their draft or in their deployed version. */
export function findConnectorUsage(tx: Db, workspaceId: string, slug: string): Promise<ConnectionUse[]> {
  return selectUses.all(tx, { workspaceId, slug });
}
