import type { AsyncLocalStorage } from "node:async_hooks";
import { shareInProcess } from "#lib/support/share-in-process";
import {
  formatTraceparent,
  newSpanId,
  newTraceId,
  parseTraceparent,
  type TraceContext,
} from "#lib/support/trace-context";

export type SpanAttributes = Record<string, string | number | boolean>;

/** A span that has ended. Nothing in it may come from a payload, a secret or a message (decisions, Traces). */
export interface FinishedSpan {
  name: string;
  kind: "internal" | "server" | "client";
  context: TraceContext;
  /** Null for the first span of a trace. */
  parentSpanId: string | null;
  /** The `tracestate` that came with the parent. */
  traceState?: string | null;
  /** Milliseconds since 1970; they may have a fraction. */
  startMs: number;
  endMs: number;
  attributes: SpanAttributes;
  /** The code of the failure; null if nothing failed. */
  error: string | null;
  /** Spans of other traces that this one belongs with. */
  links?: readonly TraceContext[];
}

/** What this part of the process works on. */
export interface TracedWork {
  context: TraceContext;
  /** What is known of a request by the time it ends. */
  attributes: SpanAttributes;
  /** The code that the request was refused with. */
  refusal: string | null;
  requestId?: string;
  runId?: string;
}

/** The OpenTelemetry SDK, as the rest of the product knows it. */
export interface Telemetry {
  work: AsyncLocalStorage<TracedWork>;
  /** Decides whether a trace is recorded: the same for every span of it, in every process. */
  isSampled(traceId: string, parent: TraceContext | null): boolean;
  /** Queues a span for the next export. */
  add(span: FinishedSpan): void;
  /** Returns null while the queue has room, otherwise sends it and resolves when it has. */
  keepUp(): Promise<void> | null;
  /** Sends what is queued and ends the exports. */
  stop(): Promise<void>;
}

const shared = shareInProcess("telemetry", (): { telemetry?: Telemetry } => ({}));

/** Returns the SDK, or undefined in a process that exports nothing. */
export function telemetry(): Telemetry | undefined {
  return shared.telemetry;
}

export function setTelemetry(started: Telemetry): void {
  shared.telemetry = started;
}

/** Sends what is queued. A collector that does not answer delays the end of the process by the exporter's time limit. */
export async function stopTelemetry(): Promise<void> {
  const started = shared.telemetry;
  delete shared.telemetry;
  await started?.stop();
}

/** Returns the `traceparent` for what the current request starts; undefined if the request is not traced. */
export function currentTraceparent(): string | undefined {
  const work = shared.telemetry?.work.getStore();
  return work && formatTraceparent(work.context);
}

/** Adds to the span of the current request. */
export function noteOnSpan(attributes: SpanAttributes): void {
  const work = shared.telemetry?.work.getStore();
  if (work) Object.assign(work.attributes, attributes);
}

/** Names the current request in its log lines. */
export function noteRequestId(requestId: string): void {
  const work = shared.telemetry?.work.getStore();
  if (work) work.requestId = requestId;
}

/** Notes the code that the current request is refused with. */
export function noteRefusal(code: string): void {
  const work = shared.telemetry?.work.getStore();
  if (work) work.refusal = code;
}

/** Returns the fields that every log line of the current work has. The logger adds those of the line to this object. */
export function logFields(): object {
  const work = shared.telemetry?.work.getStore();
  if (!work) return {};
  const { context, requestId, runId } = work;
  return {
    trace_id: context.traceId,
    span_id: context.spanId,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(runId === undefined ? {} : { run_id: runId }),
  };
}

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
