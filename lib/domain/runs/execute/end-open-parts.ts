import { endBeside } from "#lib/domain/runs/execute/end-beside";
import { notifyEndedRuns } from "#lib/domain/runs/notify/notify-ended-runs";
import { repeatableTransaction } from "#lib/platform/db/pool";

/**
 * Closes what a run leaves open when one of its branches ends it: approval requests, and sub-runs that no run waits for
 * anymore. Wakes the runs that wait for this one.
 */
export async function endOpenParts(runId: string): Promise<void> {
  const cancelled = await repeatableTransaction((tx) => endBeside(tx, [runId]));
  await notifyEndedRuns(cancelled);
}
