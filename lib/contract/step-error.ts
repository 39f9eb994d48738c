/**
 * What a step met while it ran (contract, Errors). It lives in the journal and in `run.error` only; an upstream's
 * status never becomes ours.
 */
export const STEP_ERROR_CODES = [
  "AUTH_EXPIRED",
  "RATE_LIMITED",
  "VALIDATION_ERROR",
  "TIMEOUT",
  "UPSTREAM_ERROR",
  "UNKNOWN",
] as const;
export type StepErrorCode = (typeof STEP_ERROR_CODES)[number];

/** decisions, Connectors: what `maxRetries` retries. `idempotent` means only when the operation is marked so. */
export const STEP_ERROR_RETRY: Record<StepErrorCode, "always" | "idempotent" | "never"> = {
  AUTH_EXPIRED: "never",
  RATE_LIMITED: "always",
  VALIDATION_ERROR: "never",
  TIMEOUT: "idempotent",
  UPSTREAM_ERROR: "always",
  UNKNOWN: "never",
};

/** The error payload of a journal event. `retryAfterMs` is how long the other side asked us to wait. */
export interface StepErrorPayload {
  code: StepErrorCode;
  message: string;
  retryAfterMs?: number;
}

export class StepError extends Error {
  override readonly name = "StepError";
  readonly code: StepErrorCode;
  readonly retryAfterMs: number | undefined;

  constructor(code: StepErrorCode, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }

  toPayload(): StepErrorPayload {
    return {
      code: this.code,
      message: this.message,
      ...(this.retryAfterMs === undefined ? {} : { retryAfterMs: this.retryAfterMs }),
    };
  }
}
