import { ACTOR_TYPES, type Actor } from "#lib/domain/audit/record-audit";
import { array, enumOf, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const cancelPending = defineStatement({
  name: "close_approvals",
  params: { runIds: array(uuid), type: enumOf(ACTOR_TYPES), id: nullable(uuid), name: nullable(text) },
  sql: `update approvals set status = 'cancelled', decided_at = clock_timestamp(), decided_by_type = $2,
          decided_by_id = $3, decided_by_name = $4
        where run_id = any($1::uuid[]) and status = 'pending'`,
});

/** Cancels the open approval requests of runs, in the transaction that ends the runs. */
export async function closeApprovals(tx: Db, runIds: readonly string[], actor: Actor): Promise<void> {
  await cancelPending.run(tx, { runIds, ...actor });
}
