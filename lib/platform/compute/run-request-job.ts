import { ApiError } from "#lib/contract/error/api-error";
import { isApiErrorReason } from "#lib/contract/error/error-reasons";
import { LIMITS } from "#lib/contract/limits";
import { PoolError } from "#lib/platform/child-pool/pool-error";
import type { ComputeJob, JobResult } from "#lib/platform/compute/compute-jobs";
import { askComputeChild, type JobTurn } from "#lib/platform/compute/compute-pool";

/** A job takes a fraction of a second. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Does a job of a request in a child process.
 * @throws ApiError: what the job throws; BAD_REQUEST if the data needs too much; `too_many_checks` if too many jobs of
 * the workspace wait; `checks_overloaded` if the machine has no child for it, or too little CPU time
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

/** Data that needs too much is refused for good. A sender must repeat only what the machine is to blame for. */
function refusalOf(error: PoolError): ApiError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error };
  switch (error.kind) {
    case "crowded":
      return new ApiError("too_many_checks", "Too much data of this workspace is waiting to be checked.", options);
    case "cpu_limit":
    case "time_limit":
      return new ApiError("BAD_REQUEST", `The data takes more than ${LIMITS.computeJobMs / 1_000} s to check.`, {
        cause: error,
      });
    case "ended":
      // Our own code ends a child only when its memory is used up.
      return new ApiError("BAD_REQUEST", "The data takes too much memory to check.", { cause: error });
    case "starved":
    case "killed":
    case "not_started":
      return new ApiError(
        "checks_overloaded",
        "The machine is too busy to check the data. Try again shortly.",
        options,
      );
  }
}
