import { ApiError } from "#lib/contract/api-error";
import { PoolError } from "#lib/platform/child-pool/pool-error";

/** Each attempt already waits for a child as long as its limits allow. */
const ATTEMPTS = 3;

/** What says nothing about the job: no process was ready, or the machine took it away or gave it no processor. */
const UNREADY: ReadonlySet<PoolError["kind"]> = new Set(["not_started", "killed", "starved"]);

/**
 * Does a job in a child process, and again if no process was ready for it. The sender of a callback may send only once, so a
 * wrong body must be answered as wrong also on a busy machine.
 * @throws what the job throws; SERVICE_UNAVAILABLE if no process was ready in any attempt
 */
export async function retryUnready<Result>(job: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await job();
    } catch (error) {
      const cause = error instanceof ApiError ? error.cause : null;
      if (attempt === ATTEMPTS || !(cause instanceof PoolError && UNREADY.has(cause.kind))) throw error;
    }
  }
}
