import { closeApprovals } from "#lib/approvals/close-approvals";
import { repeatableTransaction } from "#lib/db/transaction";
import { cancelTree } from "#lib/runs/cancel-tree";
import { notifyRuns } from "#lib/runs/notify-runs";

const SYSTEM = { type: "system", id: null, name: null } as const;

/** What a run leaves open when one of its branches ends it: requests nobody need decide, sub-runs nobody waits for. */
export async function endOpenParts(runId: string): Promise<void> {
  const cancelled = await repeatableTransaction(async (tx) => {
    await closeApprovals(tx, [runId], SYSTEM);
    return cancelTree(tx, [runId], { error: null, actor: SYSTEM });
  });
  await notifyRuns(cancelled, { haveEnded: true });
}
