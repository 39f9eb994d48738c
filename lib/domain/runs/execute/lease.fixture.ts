import { LeaseLost } from "#lib/core/engine/lease-lost";
import { appendEvents, type JournalBatch, type Lease } from "#lib/domain/journal/append-events";
import { type Finish, finishRuns } from "#lib/domain/runs/execute/finish-runs";
import { type OpenedRun, openRuns } from "#lib/domain/runs/execute/open-runs";
import type { Db } from "#lib/platform/db/pool";

let nextList = 1;

/**
 * For tests: calls openRuns for one run.
 * @throws LeaseLost if another worker works on it
 */
export async function openRun(db: Db, runId: string, poolId = "test"): Promise<OpenedRun | null> {
  const [run] = await openRuns(db, [runId], { poolId, held: [runId], list: nextList++ });
  if (run instanceof LeaseLost) throw run;
  return run ?? null;
}

interface Claim {
  poolId: string;
  usedMs: number;
  batch: JournalBatch;
  isRepeat: boolean;
}

/**
 * For tests: calls appendEvents for one run, which claims it.
 * @throws LeaseLost if another worker has the run
 */
export async function claimRun(db: Db, lease: Lease, { poolId, usedMs, batch, isRepeat }: Claim): Promise<void> {
  const [isOurs] = await appendEvents(db, [{ lease, usedMs, batch }], { poolId, isRepeat });
  if (!isOurs) throw new LeaseLost(lease.runId);
}

/**
 * For tests: calls finishRuns for one run.
 * @throws LeaseLost if another worker has the run
 */
export async function finishRun(db: Db, lease: Lease, finish: Omit<Finish, "lease">): Promise<void> {
  const [isOurs] = await finishRuns(db, [{ lease, ...finish }]);
  if (!isOurs) throw new LeaseLost(lease.runId);
}
