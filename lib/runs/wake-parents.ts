import type { Db } from "#lib/db/pool";
import { requeueRuns } from "#lib/jobs/requeue-runs";

/**
 * Queues the runs that are parked for these sub-runs, which have ended. Called when that is committed, or in the same
 * transaction: whoever parks the parent at this moment holds its row and looks at the sub-runs itself, before or after.
 * A parent whose wake-up is lost is found by the reconciler.
 */
export async function wakeParents(db: Db, runIds: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ id: string; stalled: number }>({
    name: "find_parked_parents",
    text: `select p.id, p.stalled from runs p
           where p.id in (select parent_run_id from runs where id = any($1::uuid[]))
             and p.status = 'running' and p.lease_owner is null
           order by p.id for no key update of p`,
    values: [runIds],
  });
  await requeueRuns(
    db,
    rows.map((row) => ({ runId: row.id, stalled: row.stalled })),
  );
}
