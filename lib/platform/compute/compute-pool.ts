import { LIMITS } from "#lib/contract/limits";
import { type FairPool, openFairPool } from "#lib/platform/child-pool/open-fair-pool";
import type { ComputeJob, ComputeReply } from "#lib/platform/compute/compute-jobs";
import { COMPUTE } from "#lib/platform/compute/compute-limits";
import { startComputeChild } from "#lib/platform/compute/start-compute-child";
import { shareInProcess } from "#lib/support/share-in-process";

const pool: FairPool<ComputeReply> = shareInProcess("compute-children", () =>
  openFairPool<ComputeReply>({
    start: startComputeChild,
    children: { shared: COMPUTE.sharedChildren, reserved: COMPUTE.reservedChildren },
    queue: { calls: LIMITS.computeQueuedJobs, bytes: LIMITS.computeQueuedBytes },
    callsPerChild: COMPUTE.jobsPerChild,
    killMs: COMPUTE.killMs,
  }),
);

export interface JobTurn {
  workspaceId: string;
  /** About how large the job is. */
  bytes: number;
  signal: AbortSignal;
}

/**
 * Does a job in a child process. Workspaces take turns, and the job's time starts with its turn. A job that uses too
 * much CPU time, or gets none for long, is killed with its child.
 * @throws PoolError, or the signal's reason
 */
export function askComputeChild(message: ComputeJob, turn: JobTurn): Promise<ComputeReply> {
  return pool.run({ ...turn, message, timeoutMs: COMPUTE.jobTimeoutMs, cpuMs: LIMITS.computeJobMs });
}
