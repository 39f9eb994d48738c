import { currentTraceparent, telemetry } from "#lib/platform/telemetry/telemetry";
import { newSpanId, newTraceId, parseTraceparent } from "#lib/support/trace-context";

/** The W3C limit. A longer list cannot be passed on in full. */
const TRACESTATE_CHARACTERS = 512;

/**
 * Answers a request in a span of its own, which continues the caller's trace. Without telemetry it only answers.
 * @param route the template of the path. The path itself is not recorded, because the path of a webhook or callback is a
 * secret
 */
export function traceRequest(request: Request, route: string, answer: () => Promise<Response>): Promise<Response> {
  return telemetry() ? answerInSpan(request, route, answer) : answer();
}

async function answerInSpan(request: Request, route: string, answer: () => Promise<Response>): Promise<Response> {
  const tracing = telemetry();
  if (!tracing) return answer();
  const parent = parseTraceparent(request.headers.get("traceparent"));
  const traceId = parent?.traceId ?? newTraceId();
  const context = { traceId, spanId: newSpanId(), isSampled: tracing.isSampled(traceId, parent) };
  const work = { context, attributes: {}, refusal: null as string | null };
  const startMs = Date.now();
  const started = performance.now();
  let status = 500;
  try {
    const response = await tracing.work.run(work, answer);
    status = response.status;
    return response;
  } finally {
    if (context.isSampled) {
      const { refusal } = work;
      tracing.add({
        name: `${request.method} ${route}`,
        kind: "server",
        context,
        parentSpanId: parent?.spanId ?? null,
        traceState: parent && readTraceState(request.headers),
        startMs,
        endMs: startMs + (performance.now() - started),
        attributes: {
          "http.request.method": request.method,
          "http.route": route,
          "url.scheme": new URL(request.url).protocol.slice(0, -1),
          "http.response.status_code": status,
          ...(refusal === null ? {} : { "signalbox.error.code": refusal }),
          ...work.attributes,
        },
        // A refused call is the caller's error, not the server's (semantic conventions, HTTP).
        error: status >= 500 ? (refusal ?? String(status)) : null,
      });
    }
  }
}

/** Returns the `traceparent` for what a request starts: of its own span if the request is traced, or the caller's. */
export function requestTraceparent(headers: Headers): string | null {
  const given = headers.get("traceparent");
  return currentTraceparent() ?? (parseTraceparent(given) ? given : null);
}

function readTraceState(headers: Headers): string | null {
  const given = headers.get("tracestate");
  return given !== null && given.length <= TRACESTATE_CHARACTERS ? given : null;
}
