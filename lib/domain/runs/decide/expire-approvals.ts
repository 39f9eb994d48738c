import { OPEN_RUN_STATUSES, type RunError, requireTransitions } from "#lib/contract/run/run";
import { closeApprovals } from "#lib/domain/approvals/close-approvals";
import { cancelTree } from "#lib/domain/runs/decide/cancel-tree";
import type { ChangedRun } from "#lib/domain/runs/notify/notify-runs";
import { bigint, boolean, jsonb, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, transaction } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";
import { dequeueRuns } from "#lib/platform/jobs/enqueue";

/** The most approvals that one transaction expires. */
const BATCH = 200;
const EXPIRED: RunError = {
  code: "APPROVAL_EXPIRED",
  reason: "approval_expired",
  message: "No one decided in time",
};
const SYSTEM = { type: "system", id: null, name: null } as const;

const EXPIRED_FROM = sqlSet(requireTransitions(OPEN_RUN_STATUSES, "timed_out"));
const PARAMS = { limit: bigint, error: jsonb<RunError>() };
const ROW = { id: uuid, workspaceId: uuid, wasRunning: boolean };

const expireAll = defineStatement({ name: "expire_approvals", params: PARAMS, row: ROW, sql: expireSql("") });
const expireOne = defineStatement({
  name: "expire_approvals_of_run",
  params: { ...PARAMS, runId: uuid },
  row: ROW,
  sql: expireSql("and a.run_id = $3::uuid"),
});

/** SQL condition: an approval was not decided in time. */
export const IS_EXPIRY_DUE = "exists (select 1 from approvals where status = 'pending' and expires_at <= now())";

/**
 * Ends a batch of runs whose approval was not decided in time (contract, Limits: approval request; decisions,
 * Approvals). Runs that are locked at this moment are left to the next call; a decision on one of them expires it.
 * @returns the runs that ended, and whether more may be due
 */
export async function expireApprovals(): Promise<{ ended: ChangedRun[]; isMore: boolean }> {
  return transaction(async (tx) => {
    const timedOut = await expireDue(tx, null);
    return { ended: [...timedOut, ...(await cancelBelow(tx, timedOut))], isMore: timedOut.length === BATCH };
  });
}

/**
 * Does the same for one run.
 * @param tx a transaction that has locked the run's row
 * @returns the run and its sub-runs if it was due, otherwise nothing
 */
export async function expireRun(tx: Db, runId: string): Promise<ChangedRun[]> {
  const timedOut = await expireDue(tx, runId);
  return [...timedOut, ...(await cancelBelow(tx, timedOut))];
}

async function expireDue(tx: Db, runId: string | null): Promise<ChangedRun[]> {
  const due = { limit: BATCH, error: EXPIRED };
  const rows = runId === null ? await expireAll.all(tx, due) : await expireOne.all(tx, { ...due, runId });
  await dequeueRuns(
    tx,
    rows.flatMap((run) => (run.wasRunning ? [run.id] : [])),
  );
  return rows.map(({ id, workspaceId }) => ({ id, workspaceId }));
}

/** No run waits for the sub-runs anymore; other gates of the run are closed with it. */
async function cancelBelow(tx: Db, runs: readonly ChangedRun[]): Promise<ChangedRun[]> {
  if (runs.length === 0) return [];
  const ids = runs.map((run) => run.id);
  await closeApprovals(tx, ids, SYSTEM);
  return cancelTree(tx, ids, { error: null, actor: SYSTEM });
}

/**
 * Locks the run's row before its approvals, as a decision does. The conditions are repeated where rows change: what the
 * first part saw may be older than its lock. An approval that a run left open when it ended is cancelled.
 */
function expireSql(ofRun: string): string {
  return `with present as materialized (select clock_timestamp() as at), due as (
      select r.id, r.status, r.status in ${EXPIRED_FROM} as is_open
      from approvals a join runs r on r.id = a.run_id
      where a.status = 'pending' and a.expires_at <= (select at from present) ${ofRun}
      order by a.expires_at limit $1 for no key update of r skip locked
    ), expired as (
      update approvals a set status = case when due.is_open then 'expired' else 'cancelled' end, decided_at = present.at,
        decided_by_type = 'system'
      from due, present where a.run_id = due.id and a.status = 'pending' and a.expires_at <= present.at
      returning a.run_id, a.node_id, due.status, due.is_open
    ), ended as (
      update runs r set status = 'timed_out', completed_at = present.at,
        error = $2::jsonb || case when e.node_id = '' then '{}' else jsonb_build_object('step_id', e.node_id) end,
        running_ms = r.running_ms + coalesce((extract(epoch from present.at - r.claimed_at) * 1000)::integer, 0),
        claimed_at = null, lease_owner = null, lease_token = r.lease_token + 1
      from (select distinct on (run_id) * from expired where is_open order by run_id, node_id) e, present
      where r.id = e.run_id and r.status in ${EXPIRED_FROM}
      returning r.id, r.workspace_id, e.status = 'running' as was_running
    )
    select id, workspace_id as "workspaceId", was_running as "wasRunning" from ended`;
}
