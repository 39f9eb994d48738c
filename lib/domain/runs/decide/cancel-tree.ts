import { OPEN_RUN_STATUSES, type RunError, requireTransitions } from "#lib/contract/run/run";
import { sanitize } from "#lib/core/redaction/sanitize";
import { closeApprovals } from "#lib/domain/approvals/close-approvals";
import type { Actor } from "#lib/domain/audit/record-audit";
import type { ChangedRun } from "#lib/domain/runs/notify/notify-runs";
import { array, jsonb, jsonbText, nullable, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";
import { sqlSet } from "#lib/platform/db/sql-set";
import { dequeueRuns } from "#lib/platform/jobs/enqueue";
import { storableJson } from "#lib/support/json";

interface TreeEnd {
  /** The error of the roots; their sub-runs end without an error of their own. */
  error: RunError | null;
  actor: Actor;
}

const CANCELLED_FROM = sqlSet(requireTransitions(OPEN_RUN_STATUSES, "cancelled"));

const cancelRuns = defineStatement({
  name: "cancel_runs",
  params: { runIds: array(uuid), rootIds: array(uuid), rootError: nullable(jsonbText), cancelledBy: jsonb<Actor>() },
  row: { id: uuid, workspaceId: uuid },
  sql: `update runs set status = 'cancelled', completed_at = clock_timestamp(),
          error = case when id = any($2::uuid[]) then $3::jsonb end, cancelled_by = $4,
          running_ms = running_ms + coalesce((extract(epoch from clock_timestamp() - claimed_at) * 1000)::integer, 0),
          claimed_at = null, lease_owner = null, lease_token = lease_token + 1
        where id = any($1::uuid[]) and status in ${CANCELLED_FROM}
        returning id, workspace_id as "workspaceId"`,
});

const lockOpenRuns = defineStatement({
  name: "lock_run_tree",
  params: { rootIds: array(uuid) },
  row: { id: uuid },
  sql: `with recursive tree as (
          select id from runs where id = any($1::uuid[])
          union
          select c.id from tree t join runs c on c.parent_run_id = t.id
        )
        select r.id from runs r
        where r.id in (select id from tree) and r.status in ${CANCELLED_FROM}
        order by r.id for no key update of r`,
});

/**
 * Cancels runs and all runs below them: statuses, queue and open approvals in one transaction. A worker that executes
 * one of them learns it with its next write, which its lease no longer permits; notifyEndedRuns notifies it sooner.
 * @param tx a transaction that has locked the roots. The runs below are read only then: a sub-run is created under its
 * parent's lease, so it exists by now or never will
 * @returns the runs that were open until now
 */
export async function cancelTree(tx: Db, rootIds: readonly string[], { error, actor }: TreeEnd): Promise<ChangedRun[]> {
  const ids = await lockTree(tx, rootIds);
  if (ids.length === 0) return [];
  const rootError = error === null ? null : storableJson(sanitize(error));
  const rows = await cancelRuns.all(tx, { runIds: ids, rootIds, rootError, cancelledBy: actor });
  const cancelledIds = rows.map((row) => row.id);
  await closeApprovals(tx, cancelledIds, actor);
  await dequeueRuns(tx, cancelledIds);
  return rows;
}

/** Locks the open runs at and below the roots, parents first: a UUIDv7 sorts by creation. */
async function lockTree(tx: Db, rootIds: readonly string[]): Promise<string[]> {
  const rows = await lockOpenRuns.all(tx, { rootIds });
  return rows.map((row) => row.id);
}
