import { array, integer, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { requeueRuns } from "#lib/platform/jobs/requeue-runs";

const lockParkedParents = defineStatement({
  name: "find_parked_parents",
  params: { subRunIds: array(uuid) },
  row: { id: uuid, stalled: integer },
  // Locks before judging: a parent that is being parked would not look parked yet, and would not be waited for.
  sql: `with parents as materialized (
          select p.id, p.stalled, p.status, p.lease_owner from runs p
          where p.id in (select parent_run_id from runs where id = any($1::uuid[]))
          order by p.id for no key update of p
        )
        select id, stalled from parents where status = 'running' and lease_owner is null`,
});

/**
 * Queues the runs that are parked for these ended sub-runs. Called after that end is committed, or in the same
 * transaction: a worker that parks the parent at this moment holds its row and checks the sub-runs itself, before or
 * after. If a wake-up is lost, the reconciler finds the parent.
 */
export async function wakeParents(db: Db, runIds: readonly string[]): Promise<void> {
  const rows = await lockParkedParents.all(db, { subRunIds: runIds });
  await requeueRuns(
    db,
    rows.map((row) => ({ runId: row.id, stalled: row.stalled })),
  );
}
