import { LeaseLost } from "#lib/core/engine/lease-lost";
import { bigint, integer, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const findAndLock = defineStatement({
  name: "lock_lease",
  params: { runId: uuid, token: bigint },
  row: { stalled: integer },
  sql: `select stalled from runs where id = $1 and lease_token = $2 and status = 'running' and lease_owner is not null
        for no key update`,
});

/**
 * Locks the row of a run that this worker has claimed, for changes outside its journal: the run cannot be decided,
 * cancelled or taken over meanwhile.
 * @throws LeaseLost if this worker no longer has the run
 */
export async function lockLease(tx: Db, lease: { runId: string; token: number }): Promise<{ stalled: number }> {
  const run = await findAndLock.first(tx, lease);
  if (!run) throw new LeaseLost(lease.runId);
  return run;
}
