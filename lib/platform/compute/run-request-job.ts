import { ApiError } from "#lib/contract/api-error";
import { isApiErrorReason } from "#lib/contract/error-reasons";
import { PoolError } from "#lib/platform/child-pool/pool-error";
import type { ComputeJob, JobResult } from "#lib/platform/compute/compute-jobs";
import { askComputeChild, type JobTurn } from "#lib/platform/compute/compute-pool";

/** A job takes a fraction of a second. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Does a job of a request in a child process.
 * @throws ApiError: what the job throws; `too_many_checks` if too many jobs of the workspace wait, SERVICE_UNAVAILABLE
 * if no child can do it in time
 */
export async function runRequestJob<Job extends ComputeJob>(
  job: Job,
  turn: Omit<JobTurn, "signal">,
): Promise<JobResult<Job["kind"]>> {
  // No one can cancel it: its time is bounded.
  const { signal } = new AbortController();
  const reply = await askComputeChild(job, { ...turn, signal }).catch((error: unknown) => {
    throw error instanceof PoolError ? refusalOf(error) : error;
  });
  if ("result" in reply) return reply.result as JobResult<Job["kind"]>;
  if ("refusal" in reply) {
    const { code, reason, error, details } = reply.refusal;
    throw new ApiError(isApiErrorReason(reason) ? reason : code, error, { details });
  }
  throw new Error("The process that checks data failed", { cause: "fault" in reply ? reply.fault : reply.error });
}

/** The largest allowed job stays far below its limits, so a job that exceeds them ran on an overloaded machine. */
function refusalOf(error: PoolError): ApiError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error };
  if (error.kind === "crowded") {
    return new ApiError("too_many_checks", "Too much data of this workspace is waiting to be checked.", options);
  }
  return new ApiError("SERVICE_UNAVAILABLE", "The data could not be checked in time. Try again shortly.", options);
}
