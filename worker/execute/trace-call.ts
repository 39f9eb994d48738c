import { StepError } from "#lib/contract/run/step-error";
import type { OutgoingRequest, OutgoingResponse, SendRequest } from "#lib/core/engine/outgoing-request";
import { type SpanAttributes, type Telemetry, telemetry } from "#lib/platform/telemetry/telemetry";
import { formatTraceparent, newSpanId, parseTraceparent, type TraceContext } from "#lib/support/trace-context";

/**
 * Sends a request of a step in a span below the attempt, whose context the request carries in `traceparent`. The service
 * receives the span of the call. A request without the header is not of an attempt, such as the refresh of a token.
 */
export function traceCall(runId: string, outgoing: OutgoingRequest, send: SendRequest): Promise<OutgoingResponse> {
  const tracing = telemetry();
  const attempt = tracing ? parseTraceparent(outgoing.headers.traceparent) : null;
  return tracing && attempt?.isSampled ? sendInSpan({ tracing, attempt, runId }, outgoing, send) : send(outgoing);
}

interface Traced {
  tracing: Telemetry;
  attempt: TraceContext;
  runId: string;
}

async function sendInSpan(
  { tracing, attempt, runId }: Traced,
  outgoing: OutgoingRequest,
  send: SendRequest,
): Promise<OutgoingResponse> {
  const context = { ...attempt, spanId: newSpanId() };
  const startMs = Date.now();
  const started = performance.now();
  const end = (attributes: SpanAttributes, error: string | null) => {
    const model = attributes["gen_ai.request.model"];
    tracing.add({
      name: model === undefined ? outgoing.method : `chat ${model}`,
      kind: "client",
      context,
      parentSpanId: attempt.spanId,
      startMs,
      endMs: startMs + (performance.now() - started),
      attributes: { "signalbox.run.id": runId, ...describeRequest(outgoing), ...attributes },
      error,
    });
  };
  try {
    const headers = { ...outgoing.headers, traceparent: formatTraceparent(context) };
    const response = await send({ ...outgoing, headers });
    const { status } = response;
    const attributes = { "http.response.status_code": status, ...outgoing.describe?.(response) };
    end(attributes, status >= 400 ? String(status) : null);
    return response;
  } catch (thrown) {
    end({}, thrown instanceof StepError ? thrown.code : thrown instanceof Error ? thrown.name : "unknown");
    throw thrown;
  }
}

/** The server is named, its path is not: some services put their secrets there. */
function describeRequest({ method, url }: OutgoingRequest): SpanAttributes {
  const { hostname, port, protocol } = new URL(url);
  const isHttps = protocol === "https:";
  return {
    "http.request.method": method,
    "url.scheme": protocol.slice(0, -1),
    "server.address": hostname,
    "server.port": port === "" ? (isHttps ? 443 : 80) : Number(port),
  };
}
