import { toApiError } from "#lib/api/admission/error-response";

/** An answer to the browser: never stored by anything between us, and findable in the log by its request id. */
export function webResponse(body: unknown, requestId: string, status = 200): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", "x-request-id": requestId } });
}

/** The answer to anything thrown while a request of the browser was handled. */
export function webErrorResponse(thrown: unknown, requestId: string): Response {
  const error = toApiError(thrown, requestId);
  const response = webResponse(error.toBody(), requestId, error.status);
  if (error.retryAfterSeconds !== undefined) response.headers.set("retry-after", String(error.retryAfterSeconds));
  return response;
}
