import { LeaseLost } from "#lib/core/engine/lease-lost";
import { bigint, integer, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/pool";
import { requeueRuns } from "#lib/platform/jobs/requeue-runs";

const releaseLease = defineStatement({
  name: "release_run",
  params: { runId: uuid, token: bigint, journalBytes: nullable(integer) },
  row: { stalled: integer },
  sql: `update runs set lease_owner = null, lease_token = lease_token + 1, claimed_at = null, journal_bytes = $3,
          running_ms = running_ms + (extract(epoch from now() - claimed_at) * 1000)::integer
        where id = $1 and lease_token = $2 and status = 'running' and lease_owner is not null returning stalled`,
});

/**
 * Releases a claimed run so that any worker continues it from its journal: in one transaction, clears the lease, spends
 * its token, and queues a job ahead of the backlog.
 * @param journalBytes what its journal contains, if that is known
 * @throws LeaseLost if this worker no longer has the run
 */
export async function releaseRun(
  lease: { runId: string; token: number },
  journalBytes: number | null = null,
): Promise<void> {
  await transaction(async (tx) => {
    const run = await releaseLease.first(tx, { ...lease, journalBytes });
    if (!run) throw new LeaseLost(lease.runId);
    await requeueRuns(tx, [{ runId: lease.runId, stalled: run.stalled }]);
  });
}
