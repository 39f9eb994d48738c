import { StepError } from "#lib/contract/run/step-error";

/**
 * The other side answered with a failure. A retry is then a new request with a new idempotency key, because an API that
 * replays saved answers would repeat the failure for the old key. If the outcome is unknown (a timeout, a reset), the
 * key stays the same.
 */
export class AnsweredError extends StepError {}

/**
 * A failure that the same service can correct if it sees its answer: the step gets one more attempt for it at once, even
 * without retries. The attempt counts as one of them.
 */
export class CorrectableError extends AnsweredError {
  /** What the next attempt gets as its context's `correction`. */
  readonly correction: unknown;

  constructor(failure: StepError, correction: unknown) {
    super(failure.reason, failure.message);
    this.correction = correction;
  }
}
