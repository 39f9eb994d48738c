import { LeaseLost } from "#lib/core/engine/lease-lost";
import { transaction } from "#lib/platform/db/transaction";
import { requeueRuns } from "#lib/platform/jobs/requeue-runs";

/**
 * Hands a claimed run back, so that any worker goes on from its journal: the lease is cleared, its token spent, and a
 * job is queued ahead of the backlog, in one transaction.
 * @throws LeaseLost when the run is no longer ours to hand back
 */
export async function releaseRun(lease: { runId: string; token: number }): Promise<void> {
  await transaction(async (tx) => {
    const { rows } = await tx.query<{ stalled: number }>({
      name: "release_run",
      text: `update runs set lease_owner = null, lease_token = lease_token + 1, claimed_at = null,
               running_ms = running_ms + (extract(epoch from now() - claimed_at) * 1000)::integer
             where id = $1 and lease_token = $2 and status = 'running' and lease_owner is not null returning stalled`,
      values: [lease.runId, lease.token],
    });
    const row = rows[0];
    if (!row) throw new LeaseLost(lease.runId);
    await requeueRuns(tx, [{ runId: lease.runId, stalled: row.stalled }]);
  });
}
