import { type Actor, recordAudit } from "#lib/audit/record-audit";
import { isTerminal, type RunObject } from "#lib/contract/run";
import { repeatableTransaction } from "#lib/db/transaction";
import { cancelTree } from "#lib/runs/cancel-tree";
import { getRunRow, type RunReference } from "#lib/runs/get-run";
import { lockRun } from "#lib/runs/lock-run";
import { type ChangedRun, notifyRuns } from "#lib/runs/notify-runs";
import { presentRun } from "#lib/runs/present-run";
import { readTimeline } from "#lib/runs/read-timeline";

export interface CancelledRun {
  run: RunObject;
  /** True when the run was executing: its status is final already, the step in flight is still being aborted. */
  wasRunning: boolean;
  /** False when it had ended before. */
  wasOpen: boolean;
}

/**
 * Cancels a run and its sub-runs (decisions, Runs: cancel). The status is written at once, in one transaction with the
 * removal of the job and of open approvals; an executing worker can write nothing from then on. A run that has ended
 * stays as it is.
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
    return { row: await getRunRow(tx, reference, "full"), cancelled, wasRunning: run.status === "running" };
  });
  await notifyRuns(cancelled, { haveEnded: true });
  return {
    run: presentRun(row, { steps: await readTimeline(row, "full") }),
    wasRunning,
    wasOpen: cancelled.length > 0,
  };
}
