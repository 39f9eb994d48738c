import { STEP_ERROR_RETRY, type StepError } from "#lib/contract/step-error";
import { backoffMs } from "#lib/support/backoff";

interface RetryQuestion {
  error: StepError;
  /** True if executing it twice has the same effect as executing it once. */
  isIdempotent: boolean;
  retriesUsed: number;
  maxRetries: number;
  /** The remaining time of the run. */
  remainingMs: number;
  random: number;
}

/**
 * Returns how long to wait before the next attempt; null if the step fails now (decisions, Connectors). A delay that
 * the other side asks for overrides our backoff. A wait that would outlast the run's time is not started.
 */
export function retryDelayMs(question: RetryQuestion): number | null {
  const { error, retriesUsed } = question;
  const rule = STEP_ERROR_RETRY[error.code];
  if (rule === "never" || (rule === "idempotent" && !question.isIdempotent)) return null;
  if (retriesUsed >= question.maxRetries) return null;
  const waitMs = error.retryAfterMs ?? backoffMs(retriesUsed + 1, question.random);
  return waitMs < question.remainingMs ? waitMs : null;
}
