import { LeaseLost } from "#lib/core/engine/lease-lost";
import type { Db } from "#lib/platform/db/pool";

/**
 * Locks the row of a run that this worker has claimed, for changes beside its journal: nobody decides, cancels or takes
 * the run meanwhile.
 * @throws LeaseLost when it is no longer ours
 */
export async function lockLease(tx: Db, lease: { runId: string; token: number }): Promise<{ stalled: number }> {
  const { rows } = await tx.query<{ stalled: number }>({
    name: "lock_lease",
    text: `select stalled from runs where id = $1 and lease_token = $2 and status = 'running' and lease_owner is not null
           for no key update`,
    values: [lease.runId, lease.token],
  });
  if (!rows[0]) throw new LeaseLost(lease.runId);
  return rows[0];
}
