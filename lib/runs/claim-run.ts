import type { Db } from "#lib/db/pool";
import { LeaseLost } from "#lib/engine/lease-lost";
import { insertBatchSql, type JournalBatch, type Lease } from "#lib/journal/append-events";

interface Claim {
  poolId: string;
  /** For how long the run has been executing, in ms. */
  usedMs: number;
  batch: JournalBatch;
  /** The claim may have been written already, its answer lost. */
  isRepeat: boolean;
}

/**
 * Takes a run that nobody works on (contract, States: accepted to running), with the first events of its journal. One
 * statement: two workers with a job each get one run between them, and a worker that was declared dead gets none.
 * The lease's token becomes the claim's.
 * @throws LeaseLost when the run changed since it was opened, or this worker was declared dead
 */
export async function claimRun(db: Db, lease: Lease, { poolId, usedMs, batch, isRepeat }: Claim): Promise<void> {
  const again = isRepeat ? "or (status = 'running' and lease_token = $2::bigint + 1 and lease_owner = $5)" : "";
  const { rows } = await db.query({
    name: isRepeat ? "claim_run_again" : "claim_run",
    text: `with fence as (
      update runs set status = 'running', lease_owner = $5, lease_token = $2::bigint + 1,
        claimed_at = now() - $6::float8 * interval '1 millisecond',
        started_at = coalesce(started_at, now() - $6::float8 * interval '1 millisecond')
      where id = $1 and (
          (lease_token = $2::bigint and (status = 'accepted' or (status = 'running' and lease_owner is null))) ${again}
        )
        and exists (select 1 from worker_heartbeats where pool_id = $5 and dead_at is null)
      returning id, workspace_id
    ), ${insertBatchSql(isRepeat)}
    select id from fence`,
    values: [lease.runId, lease.token, batch.events, batch.checkpoints, poolId, usedMs],
  });
  if (rows.length === 0) throw new LeaseLost(lease.runId);
  lease.token += 1;
  lease.isClaimed = true;
}
