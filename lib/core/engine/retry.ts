import { STEP_ERROR_RETRY, type StepError } from "#lib/contract/step-error";
import { backoffMs } from "#lib/support/backoff";

interface RetryQuestion {
  error: StepError;
  /** Whether doing it twice does no more than once. */
  isIdempotent: boolean;
  retriesUsed: number;
  maxRetries: number;
  /** Of the run's time. */
  remainingMs: number;
  random: number;
}

/**
 * How long to wait before the next attempt, or null when the step fails now (decisions, Connectors). What the other
 * side asked for wins over our backoff; a wait that outlasts the run's time is not begun.
 */
export function retryDelayMs(question: RetryQuestion): number | null {
  const { error, retriesUsed } = question;
  const rule = STEP_ERROR_RETRY[error.code];
  if (rule === "never" || (rule === "idempotent" && !question.isIdempotent)) return null;
  if (retriesUsed >= question.maxRetries) return null;
  const waitMs = error.retryAfterMs ?? backoffMs(retriesUsed + 1, question.random);
  return waitMs < question.remainingMs ? waitMs : null;
}
