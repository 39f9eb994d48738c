import type { Db } from "#lib/platform/db/pool";

interface Gate {
  /** The label a person gave the node. */
  name: string | null;
  /** True where the definition says how it goes on after a rejection (decisions, Approval). */
  hasRejectedBranch: boolean;
}

/** An approval node as the run's own definition has it. Read with `tx`: another connection could not be had in time. */
export async function findGate(tx: Db, runId: string, nodeId: string): Promise<Gate> {
  const { rows } = await tx.query<Gate>({
    name: "find_gate",
    text: `select
             (select n -> 'data' ->> 'name' from jsonb_array_elements(d.definition -> 'nodes') n where n ->> 'id' = $2) as name,
             exists (select 1 from jsonb_array_elements(d.definition -> 'edges') e
               where e ->> 'source' = $2 and e ->> 'sourceHandle' = 'rejected') as "hasRejectedBranch"
           from runs r left join workflow_versions v on v.id = r.workflow_version_id,
             lateral (select coalesce(r.definition, v.definition) as definition) d
           where r.id = $1`,
    values: [runId, nodeId],
  });
  return rows[0] ?? { name: null, hasRejectedBranch: false };
}
