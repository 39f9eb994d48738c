import { LIMITS } from "#lib/contract/limits";
import { StepError, stepErrorKind } from "#lib/contract/step-error";
import { openFairPool } from "#lib/platform/child-pool/open-fair-pool";
import { PoolError } from "#lib/platform/child-pool/pool-error";
import type { ComputeJob, ComputeReply } from "#lib/platform/compute/compute-jobs";
import { COMPUTE } from "#lib/platform/compute/compute-limits";
import { startComputeChild } from "#lib/platform/compute/start-compute-child";

const pool = openFairPool<ComputeReply>({
  start: startComputeChild,
  children: { shared: COMPUTE.sharedChildren, reserved: COMPUTE.reservedChildren },
  queue: { calls: LIMITS.computeQueuedJobs, bytes: LIMITS.computeQueuedBytes },
  callsPerChild: COMPUTE.jobsPerChild,
  killMs: COMPUTE.killMs,
});

export interface JobTurn {
  workspaceId: string;
  /** About how large the job is. */
  bytes: number;
  signal: AbortSignal;
}

/**
 * Does a job in a child process. Workspaces take turns, and the job's time starts with its turn. A job that takes too
 * long, by the clock or in CPU time, is killed with its child.
 * @throws StepError: what the job throws; TIMEOUT above its time, VALIDATION_ERROR above its memory, RATE_LIMITED if too
 * many jobs of the workspace wait, UNKNOWN if there is no child; or the signal's reason
 */
export async function runJob(job: ComputeJob, { workspaceId, bytes, signal }: JobTurn): Promise<number> {
  const limits = { timeoutMs: LIMITS.computeJobMs, cpuMs: LIMITS.computeJobMs };
  const reply = await pool.run({ workspaceId, message: job, bytes, ...limits, signal }).catch((error: unknown) => {
    throw error instanceof PoolError ? stepErrorOf(error) : error;
  });
  if ("result" in reply) return reply.result;
  if ("fault" in reply) throw new StepError("UNKNOWN", "The data could not be checked", { cause: reply.fault });
  throw new StepError(stepErrorKind(reply.error) ?? "UNKNOWN", reply.error.message);
}

function stepErrorOf(error: PoolError): StepError {
  const { kind, cause = error } = error;
  switch (kind) {
    case "time_limit":
    case "cpu_limit":
      return new StepError("code_time_limit", `The data took more than ${LIMITS.computeJobMs / 1_000} s to check`);
    case "crowded":
      return new StepError("sandbox_busy", "Too many checks of this workspace wait for their turn");
    case "ended":
      // Our own code ends a child only when its memory is used up.
      return new StepError("data_too_large", "The data took too much memory to check", { cause });
    case "not_started":
      return new StepError("UNKNOWN", "The process that checks data could not be started", { cause });
  }
}
