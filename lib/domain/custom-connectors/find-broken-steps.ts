import type { BrokenStep, ConnectorChanges } from "#lib/contract/connector/connector";
import { array, bigint, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const STEPS_MAX = 200;

const selectSteps = defineStatement({
  name: "find_connector_steps",
  params: { workspaceId: uuid, slug: text, operations: array(text), limit: bigint },
  row: {
    workflow_id: uuid,
    workflow: text,
    version: nullable(integer),
    step_id: text,
    step: text,
    operation: text,
  },
  sql: `with named as (
          select w.id, w.name, null::int as version, w.draft as definition
          from workflows w where w.workspace_id = $1 and w.deleted_at is null
          union all
          select w.id, w.name, v.version, v.definition
          from workflows w join workflow_versions v on v.workflow_id = w.id and v.status = 'deployed'
          where w.workspace_id = $1 and w.deleted_at is null)
        select named.id as workflow_id, named.name as workflow, named.version, node ->> 'id' as step_id,
          coalesce(nullif(node -> 'data' ->> 'name', ''), node ->> 'id') as step, node -> 'data' ->> 'operation' as operation
        from named, jsonb_path_query(definition::jsonb, '$.nodes[*] ? (@.type == "connector" && @.data.connector == $slug)',
                                     jsonb_build_object('slug', $2::text)) as node
        where node -> 'data' ->> 'operation' = any($3)
        order by named.name, named.id, named.version nulls first, step_id limit $4`,
  isPrepared: false,
});

/** Finds the steps, of drafts and deployed versions, that the changes of a connector can break. */
export async function findBrokenSteps(
  workspaceId: string,
  slug: string,
  { removed, changed }: ConnectorChanges,
): Promise<BrokenStep[]> {
  const reasons = new Map<string, string[]>(removed.map((name) => [name, ["no longer exists"]]));
  for (const { operation, breaking = [] } of changed) if (breaking.length > 0) reasons.set(operation, breaking);
  if (reasons.size === 0) return [];
  const operations = [...reasons.keys()];
  const rows = await selectSteps.all(db(), { workspaceId, slug, operations, limit: STEPS_MAX });
  return rows.map((row) => ({ ...row, reasons: reasons.get(row.operation) ?? [] }));
}
