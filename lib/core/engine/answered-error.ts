import { StepError } from "#lib/contract/step-error";

/**
 * The other side answered, and its answer was a failure. A retry is then a new request with a new idempotency key:
 * an API that replays saved answers would repeat its 500 for the old one. After an outcome that nobody knows (a
 * time-out, a reset) the key stays the same.
 */
export class AnsweredError extends StepError {}
