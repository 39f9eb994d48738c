import { ApiError, internalError } from "#lib/contract/api-error";
import { log } from "#lib/platform/config/log";
import { findUnavailableReason } from "#lib/platform/db/classify-database-error";

const RETRY_AFTER_SECONDS = 2;

/**
 * What a caller is told about anything thrown while its request was handled. The one place where a throw nobody
 * classified becomes INTERNAL_ERROR; what is ours to mend is logged with its cause, and none of it leaves in the answer.
 */
export function toApiError(thrown: unknown, requestId: string): ApiError {
  const error = thrown instanceof ApiError ? thrown : classify(thrown);
  if (error.status >= 500) log.error({ err: error.cause ?? error, request_id: requestId }, "a request failed");
  return error;
}

function classify(thrown: unknown): ApiError {
  const reason = findUnavailableReason(thrown);
  if (reason === null) return internalError(thrown);
  return new ApiError(reason, "The service cannot answer at the moment. Try again shortly.", {
    cause: thrown,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** The REST answer to an error (contract, Errors). `headers` are those every answer to this request carries. */
export function errorResponse(error: ApiError, headers: Headers): Response {
  if (error.code === "UNAUTHORIZED") headers.set("www-authenticate", "Bearer");
  if (error.retryAfterSeconds !== undefined) headers.set("retry-after", String(error.retryAfterSeconds));
  return Response.json(error.toBody(), { status: error.status, headers });
}
