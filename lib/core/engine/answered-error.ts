import { StepError } from "#lib/contract/step-error";

/**
 * The other side answered with a failure. A retry is then a new request with a new idempotency key, because an API that
 * replays saved answers would repeat the failure for the old key. If the outcome is unknown (a timeout, a reset), the
 * key stays the same.
 */
export class AnsweredError extends StepError {}
