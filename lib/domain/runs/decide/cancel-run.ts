import { isExecuting, isTerminal, type RunObject } from "#lib/contract/run/run";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { cancelTree } from "#lib/domain/runs/decide/cancel-tree";
import { notifyEndedRuns } from "#lib/domain/runs/notify/notify-ended-runs";
import type { ChangedRun } from "#lib/domain/runs/notify/notify-runs";
import { getRunRow, type RunReference } from "#lib/domain/runs/read/get-run";
import { lockRun } from "#lib/domain/runs/read/lock-run";
import { presentRun } from "#lib/domain/runs/read/present-run";
import { readTimeline } from "#lib/domain/runs/read/read-timeline";
import { repeatableTransaction } from "#lib/platform/db/pool";

export interface CancelledRun {
  run: RunObject;
  /** True if the run was executing: its status is already final, while the step in flight is still being aborted. */
  wasRunning: boolean;
  /** False if it had already ended. */
  wasOpen: boolean;
}

/**
 * Cancels a run and its sub-runs (decisions, Runs: cancel). The status is written at once, in the transaction that
 * removes the job and closes open approvals; an executing worker can write nothing from then on. A run that has ended
 * does not change.
 * @throws ApiError RUN_NOT_FOUND
 */
export async function cancelRun(reference: RunReference, actor: Actor): Promise<CancelledRun> {
  const { row, cancelled, wasRunning } = await repeatableTransaction(async (tx) => {
    const run = await lockRun(tx, reference);
    let cancelled: ChangedRun[] = [];
    if (!isTerminal(run.status)) {
      cancelled = await cancelTree(tx, [run.id], { error: null, actor });
      await recordAudit(tx, {
        workspaceId: run.workspaceId,
        actor,
        action: "run.cancelled",
        objectType: "run",
        objectId: run.id,
        details: { from: run.status, sub_runs: cancelled.length - 1 },
      });
    }
    return { row: await getRunRow(tx, reference, "full"), cancelled, wasRunning: isExecuting(run.status) };
  });
  await notifyEndedRuns(cancelled);
  return {
    run: presentRun(row, await readTimeline(row, "full")),
    wasRunning,
    wasOpen: cancelled.length > 0,
  };
}
