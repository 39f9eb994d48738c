import { LIMITS } from "#lib/contract/limits";
import type { ApprovalRow } from "#lib/domain/approvals/present-approval";
import { array, float8, jsonb, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { uuidv7 } from "#lib/support/ids";

const insertRequests = defineStatement({
  name: "open_policy_approvals",
  params: { ids: array(uuid), runIds: array(uuid), expirySeconds: float8 },
  row: { run_id: uuid, row: jsonb<ApprovalRow>() },
  sql: `insert into approvals (id, workspace_id, run_id, kind, node_id, iteration, requested_at, expires_at)
        select n.id, r.workspace_id, r.id, 'policy', '', '', t.at, t.at + make_interval(secs => $3)
        from unnest($1::uuid[], $2::uuid[]) as n (id, run_id) join runs r on r.id = n.run_id,
          (select clock_timestamp() as at) t
        returning run_id, to_jsonb(approvals) as row`,
});

/**
 * Opens the approval requests of new runs under approval_policy `always`, in the transaction that creates the runs; they
 * expire one hour later (contract, Run).
 * @returns the requests by run
 */
export async function openPolicyApprovals(
  tx: Db,
  runs: readonly { id: string }[],
): Promise<ReadonlyMap<string, ApprovalRow>> {
  if (runs.length === 0) return new Map();
  const opened = await insertRequests.all(tx, {
    ids: runs.map(() => uuidv7()),
    runIds: runs.map(({ id }) => id),
    expirySeconds: LIMITS.approvalExpiryMs / 1000,
  });
  return new Map(opened.map(({ run_id, row }) => [run_id, row]));
}
