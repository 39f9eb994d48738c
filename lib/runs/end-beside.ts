import { closeApprovals } from "#lib/approvals/close-approvals";
import type { Db } from "#lib/db/pool";
import { cancelTree } from "#lib/runs/cancel-tree";
import type { ChangedRun } from "#lib/runs/notify-runs";
import { wakeParents } from "#lib/runs/wake-parents";

const SYSTEM = { type: "system", id: null, name: null } as const;

/**
 * What ends, or goes on, with runs that no worker of theirs could end: their requests are closed, their sub-runs
 * cancelled, and the runs that wait for them go on.
 * @param tx the transaction that ended them
 * @returns the sub-runs that ended
 */
export async function endBeside(tx: Db, runIds: readonly string[]): Promise<ChangedRun[]> {
  if (runIds.length === 0) return [];
  await closeApprovals(tx, runIds, SYSTEM);
  const cancelled = await cancelTree(tx, runIds, { error: null, actor: SYSTEM });
  await wakeParents(tx, runIds);
  return cancelled;
}
