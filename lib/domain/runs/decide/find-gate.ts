import { boolean, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const GATE = {
  /** The label that a person gave the node. */
  name: nullable(text),
  /** True if the definition has a branch for a rejection (decisions, Approvals). */
  hasRejectedBranch: boolean,
};
type Gate = RowOf<typeof GATE>;

const selectGate = defineStatement({
  name: "find_gate",
  params: { runId: uuid, nodeId: text },
  row: GATE,
  sql: `select
          (select n -> 'data' ->> 'name' from json_array_elements(d.definition -> 'nodes') n where n ->> 'id' = $2) as name,
          exists (select 1 from json_array_elements(d.definition -> 'edges') e
            where e ->> 'source' = $2 and e ->> 'sourceHandle' = 'rejected') as "hasRejectedBranch"
        from runs r left join workflow_versions v on v.id = r.workflow_version_id,
          lateral (select coalesce(r.definition, v.definition) as definition) d
        where r.id = $1`,
});

/**
 * Finds an approval node in the run's own definition. Reads with `tx`, because a second connection might not be
 * available in time.
 */
export async function findGate(tx: Db, runId: string, nodeId: string): Promise<Gate> {
  return (await selectGate.first(tx, { runId, nodeId })) ?? { name: null, hasRejectedBranch: false };
}
