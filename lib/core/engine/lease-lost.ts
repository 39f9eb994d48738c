/**
 * The worker no longer holds the run: it was declared dead, or the run was cancelled or ended elsewhere. It is no
 * outcome of a step: whoever meets it throws it on, writes nothing more and leaves the run to its present owner.
 */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";

  constructor(runId: string, options: { cause?: unknown } = {}) {
    super(`the lease on run ${runId} is lost`, options);
  }
}
