import { type ChangedRun, notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import { wakeParents } from "#lib/domain/runs/notify/wake-parents";
import { exportTraces } from "#lib/domain/runs/traces/export-traces";
import { log } from "#lib/platform/config/log";
import { transaction } from "#lib/platform/db/pool";

/** Carries ids of runs that ended while a worker may be executing them, one per notice. */
export const RUN_ENDED_CHANNEL = "run_cancelled";

/**
 * Notifies pages of runs that ended and the workers, which abort the step in flight. Wakes the parents that wait for the
 * runs, and exports their traces. Called after the commit, as `notifyRuns`. A lost notice is made up for by a worker's
 * next heartbeat.
 */
export async function notifyEndedRuns(runs: readonly ChangedRun[]): Promise<void> {
  if (runs.length === 0) return;
  const runIds = runs.map(({ id }) => id);
  exportTraces(runIds);
  try {
    await transaction((tx) => wakeParents(tx, runIds));
  } catch (error) {
    log.warn({ err: error }, "runs that wait for ended runs were not woken; the reconciler will wake them");
  }
  await notifyRuns(
    runs,
    runIds.map((payload) => ({ channel: RUN_ENDED_CHANNEL, payload })),
  );
}
