import type { z } from "zod";
import {
  API_ERROR_REASONS,
  type ApiErrorReason,
  isApiErrorReason,
  reasonOfCode,
  SPECIFIC_API_ERROR_REASONS,
  type SpecificApiErrorReason,
} from "#lib/contract/error/error-reasons";
import type { fieldErrorSchema } from "#lib/contract/error/field-error-schema";

/**
 * An error that a caller gets, whether the caller or the server caused it. One table gives each code its HTTP status
 * (contract, Errors; decisions, Error codes), so the two can never disagree.
 */
export const API_ERROR_STATUS = {
  BAD_REQUEST: 400,
  INPUT_VALIDATION_FAILED: 400,
  PUBLISH_VALIDATION_FAILED: 400,
  WORKFLOW_NOT_CALLABLE: 400,
  CONNECTION_TEST_FAILED: 400,
  UNAUTHORIZED: 401,
  INVALID_SIGNATURE: 401,
  QUOTA_EXCEEDED: 402,
  FORBIDDEN: 403,
  KEY_QUOTA_EXCEEDED: 403,
  ACTION_NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  ACTION_UNAVAILABLE: 409,
  RUN_NOT_WAITING: 409,
  APPROVAL_EXPIRED: 409,
  CALLBACK_USED: 409,
  SLUG_TAKEN: 409,
  BREAKING_SCHEMA_CHANGE: 409,
  REVISION_CONFLICT: 409,
  WORKFLOW_IN_USE: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  EMAIL_TAKEN: 409,
  ALREADY_MEMBER: 409,
  LAST_OWNER: 409,
  CONNECTION_NAME_TAKEN: 409,
  CONNECTION_IN_USE: 409,
  CONNECTOR_IN_USE: 409,
  CALLBACK_CLOSED: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;
export type ApiErrorCode = keyof typeof API_ERROR_STATUS;

/** One invalid field. `field` is the dotted name for people, `pointer` the RFC 6901 JSON Pointer. */
export type FieldError = z.output<typeof fieldErrorSchema>;

export interface ApiErrorBody {
  error: string;
  code: ApiErrorCode;
  reason: ApiErrorReason;
  details?: unknown;
}

interface ApiErrorOptions {
  details?: unknown;
  /** Seconds for the `retry-after` header of a 429 or 503. */
  retryAfterSeconds?: number;
  /** Logged, never sent. */
  cause?: unknown;
}

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly reason: ApiErrorReason;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;

  /** @param kind a specific reason, which implies the code, or the code alone */
  constructor(kind: ApiErrorCode | SpecificApiErrorReason, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = isApiErrorReason(kind) ? API_ERROR_REASONS[kind].code : kind;
    this.reason = isApiErrorReason(kind) ? kind : reasonOfCode(kind);
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return API_ERROR_STATUS[this.code];
  }

  /** The response body `{ error, code, reason, details? }` (contract, Errors; decisions, Reasons). */
  toBody(): ApiErrorBody {
    const { message: error, code, reason, details } = this;
    return { error, code, reason, ...(details === undefined ? {} : { details }) };
  }
}

/** Lists every reason that belongs to a code: the code's own, then the specific ones. */
export function reasonsOfCode(code: ApiErrorCode): ApiErrorReason[] {
  return [
    reasonOfCode(code),
    ...SPECIFIC_API_ERROR_REASONS.filter((reason) => API_ERROR_REASONS[reason].code === code),
  ];
}

/** Creates the error for an unclassified throw. The cause is logged, and nothing of it is sent to the caller. */
export function internalError(cause: unknown): ApiError {
  return new ApiError(
    "INTERNAL_ERROR",
    "An unexpected error occurred on our side. Include the request id if you report it.",
    {
      cause,
    },
  );
}

/** Converts zod issues to the contract's field errors, with a dotted name and an RFC 6901 pointer. */
export function toFieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.map((issue) => ({
    field: issue.path.join(".") || "(body)",
    pointer: issue.path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    code: issue.code,
    message: issue.message,
  }));
}
