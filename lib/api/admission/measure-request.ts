import { observeRequest } from "#lib/platform/metrics/counters";
import { traceRequest } from "#lib/platform/telemetry/telemetry";

/**
 * Answers a request of a program, measures it for `signalbox_request_duration_seconds`, and traces it if telemetry is on.
 * @param route the template of the path
 */
export async function measureRequest(
  request: Request,
  route: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  const started = performance.now();
  let status = 500;
  try {
    const response = await traceRequest(request, route, answer);
    status = response.status;
    return response;
  } finally {
    observeRequest(status, performance.now() - started);
  }
}
