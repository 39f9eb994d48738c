import type { ApiErrorCode, FieldError } from "#lib/contract/error/api-error";
import type { ApiErrorReason } from "#lib/contract/error/error-reasons";

/** A refused or failed operation in the browser. `NETWORK` is our own code: no answer came. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ApiErrorCode | "NETWORK";
  /** Null if no answer came, or if the answer has no reason, as those of older servers. */
  readonly reason: ApiErrorReason | null;
  readonly status: number;
  readonly details: unknown;
  readonly requestId: string | null;

  constructor(
    code: ApiErrorCode | "NETWORK",
    message: string,
    options: {
      status: number;
      reason?: ApiErrorReason | null;
      details?: unknown;
      requestId?: string | null;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.reason = options.reason ?? null;
    this.status = options.status;
    this.details = options.details;
    this.requestId = options.requestId ?? null;
  }

  /** Returns the errors per field, if the server named fields. */
  get fieldErrors(): FieldError[] {
    return Array.isArray(this.details) ? this.details.filter(isFieldError) : [];
  }
}

/** Whether a workspace refuses the user until they set up two-step verification. */
export function needsTwoStep(error: unknown): boolean {
  return error instanceof ClientError && error.reason === "two_step_required";
}

/** Whether a workspace refuses the user until they sign in through its provider. */
export function needsSso(error: unknown): boolean {
  return error instanceof ClientError && error.reason === "sso_required";
}

function isFieldError(value: unknown): value is FieldError {
  return typeof value === "object" && value !== null && "field" in value && "message" in value;
}
