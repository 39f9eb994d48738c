import { ApiError, internalError } from "#lib/contract/error/api-error";
import { log } from "#lib/platform/config/log";
import { findUnavailableReason } from "#lib/platform/db/classify-database-error";
import { noteRefusal } from "#lib/platform/telemetry/telemetry";

const RETRY_AFTER_SECONDS = 2;

/**
 * Returns the error a caller sees for anything thrown while its request was handled. This is the only place that turns
 * an unclassified throw into INTERNAL_ERROR. A server error is logged with its cause, and the answer contains none of
 * it.
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

/**
 * Returns the REST answer to an error (contract, Errors). `headers` are those that every answer to this request
 * carries.
 */
export function errorResponse(error: ApiError, headers: Headers): Response {
  noteRefusal(error.code);
  if (error.code === "UNAUTHORIZED") headers.set("www-authenticate", "Bearer");
  if (error.retryAfterSeconds !== undefined) headers.set("retry-after", String(error.retryAfterSeconds));
  return Response.json(error.toBody(), { status: error.status, headers });
}
