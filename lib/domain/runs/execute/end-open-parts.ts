import { endBeside } from "#lib/domain/runs/execute/end-beside";
import { notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import { repeatableTransaction } from "#lib/platform/db/transaction";

/**
 * What a run leaves open when one of its branches ends it: requests nobody need decide, sub-runs nobody waits for.
 * The runs that wait for it go on.
 */
export async function endOpenParts(runId: string): Promise<void> {
  const cancelled = await repeatableTransaction((tx) => endBeside(tx, [runId]));
  await notifyRuns(cancelled, { haveEnded: true });
}
