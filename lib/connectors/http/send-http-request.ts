import { buildRequest, parseParams } from "#lib/connectors/http/build-request";
import { outputHeaders } from "#lib/connectors/http/response-headers";
import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import { limitInSuccess, statusError } from "#lib/connectors/sdk/status-error";
import { StepError } from "#lib/contract/run/step-error";
import type { OutgoingRequest, OutgoingResponse } from "#lib/core/engine/outgoing-request";
import type { OperationContext } from "#lib/core/engine/ports";

/**
 * Sends one HTTP request (decisions, The graph document). `{ status, headers, body }`: body is the parsed JSON,
 * otherwise the text, or null if there is none. A status of 400 or more is a failure.
 */
export async function sendHttpRequest(params: unknown, context: OperationContext): Promise<unknown> {
  const parsed = parseParams(params);
  return exchange(buildRequest(parsed, context), context, { timeoutMs: parsed.timeout_ms });
}

interface ExchangeOptions {
  timeoutMs?: number | undefined;
  /** Reads the service's own error message; by default the error quotes the start of the response. */
  readError?: (response: OutgoingResponse) => string | undefined;
}

/** Sends a request of a step and returns the response as its output. */
export async function exchange(
  request: Omit<OutgoingRequest, "signal">,
  context: OperationContext,
  { timeoutMs, readError }: ExchangeOptions,
): Promise<unknown> {
  const response = await limited(timeoutMs, context.signal, (signal) => context.send({ ...request, signal }));
  if (response.status >= 400) {
    throw statusError(new URL(request.url).host, response, context.now(), readError?.(response));
  }
  const limit = limitInSuccess(new URL(request.url).host, response, context.now());
  if (limit) throw limit;
  return { status: response.status, headers: outputHeaders(response.headers), body: parseResponseBody(response) };
}

/** Ends the request when the step's own `timeout_ms` is over. */
async function limited(
  timeoutMs: number | undefined,
  outer: AbortSignal,
  call: (signal: AbortSignal) => Promise<OutgoingResponse>,
): Promise<OutgoingResponse> {
  if (timeoutMs === undefined) return call(outer);
  const timeUp = AbortSignal.timeout(timeoutMs);
  try {
    return await call(AbortSignal.any([outer, timeUp]));
  } catch (error) {
    outer.throwIfAborted();
    if (timeUp.aborted) throw new StepError("service_timeout", `No response within timeout_ms (${timeoutMs} ms)`);
    throw error;
  }
}
