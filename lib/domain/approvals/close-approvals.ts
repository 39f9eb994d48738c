import type { Actor } from "#lib/domain/audit/record-audit";
import type { Db } from "#lib/platform/db/pool";

/** Cancels what still waits for a decision in runs that end, in the transaction that ends them. */
export async function closeApprovals(tx: Db, runIds: readonly string[], actor: Actor): Promise<void> {
  await tx.query({
    name: "close_approvals",
    text: `update approvals set status = 'cancelled', decided_at = clock_timestamp(), decided_by_type = $2,
             decided_by_id = $3, decided_by_name = $4
           where run_id = any($1::uuid[]) and status = 'pending'`,
    values: [runIds, actor.type, actor.id, actor.name],
  });
}
