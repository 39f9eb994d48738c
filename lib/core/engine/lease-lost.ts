/**
 * Thrown if the worker no longer holds the lease on the run: the worker was declared dead, or the run was cancelled or
 * ended elsewhere. It is not a result of a step. Code that catches it rethrows it, writes nothing more and leaves the
 * run to its current owner.
 */
export class LeaseLost extends Error {
  override readonly name: string = "LeaseLost";

  constructor(runId: string, options: { cause?: unknown } = {}) {
    super(`the worker lost its lease on run ${runId}`, options);
  }
}

/**
 * Aborts a run that continues on another worker, because the time of this one is over. It says as little about a step or a
 * service as a lost lease, but this worker still holds the lease and releases it.
 */
export class RunReleased extends LeaseLost {
  override readonly name = "RunReleased";
}
