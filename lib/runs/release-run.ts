import { transaction } from "#lib/db/transaction";
import { LeaseLost } from "#lib/engine/lease-lost";
import { requeueRuns } from "#lib/jobs/requeue-runs";
import type { Lease } from "#lib/journal/append-events";
import { RUNNING_MS_SQL } from "#lib/runs/finish-run";

/**
 * Hands a run back, so that any worker goes on from its journal: the lease is cleared, its token spent, and a job is
 * queued ahead of the backlog, in one transaction.
 * @throws LeaseLost when the run is no longer ours to hand back
 */
export async function releaseRun(lease: Lease): Promise<void> {
  await transaction(async (tx) => {
    const { rows } = await tx.query<{ stalled: number }>({
      name: "release_run",
      text: `update runs set lease_owner = null, lease_token = lease_token + 1, running_ms = ${RUNNING_MS_SQL},
               claimed_at = null
             where id = $1 and lease_token = $2 and status = 'running' returning stalled`,
      values: [lease.runId, lease.token],
    });
    const row = rows[0];
    if (!row) throw new LeaseLost(lease.runId);
    await requeueRuns(tx, [{ runId: lease.runId, stalled: row.stalled }]);
  });
}
