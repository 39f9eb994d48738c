import { toApiError } from "#lib/api/admission/error-response";

/** Creates an answer for the browser. No cache stores it, and its request id is in the log. */
export function webResponse(body: unknown, requestId: string, status = 200): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", "x-request-id": requestId } });
}

/**
 * Returns the answer to anything thrown while a request from the browser was handled.
 * @param more fields of the body in addition to the contract's
 */
export function webErrorResponse(thrown: unknown, requestId: string, more: object = {}): Response {
  const error = toApiError(thrown, requestId);
  const response = webResponse({ ...error.toBody(), ...more }, requestId, error.status);
  if (error.retryAfterSeconds !== undefined) response.headers.set("retry-after", String(error.retryAfterSeconds));
  return response;
}
