import { closeApprovals } from "#lib/domain/approvals/close-approvals";
import { cancelTree } from "#lib/domain/runs/decide/cancel-tree";
import type { ChangedRun } from "#lib/domain/runs/notify/notify-runs";
import { wakeParents } from "#lib/domain/runs/notify/wake-parents";
import type { Db } from "#lib/platform/db/pool";

const SYSTEM = { type: "system", id: null, name: null } as const;

/**
 * Cleans up after runs that ended without their worker: closes their approval requests, cancels their sub-runs, and
 * wakes the runs that wait for them.
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
