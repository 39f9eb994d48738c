/**
 * Thrown if the worker no longer holds the lease on the run: the worker was declared dead, or the run was cancelled or
 * ended elsewhere. It is not a result of a step. Code that catches it rethrows it, writes nothing more and leaves the
 * run to its current owner.
 */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";

  constructor(runId: string, options: { cause?: unknown } = {}) {
    super(`the worker lost its lease on run ${runId}`, options);
  }
}
