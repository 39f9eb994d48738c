import {
  createTraceState,
  type HrTime,
  type Link,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
} from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { FinishedSpan } from "#lib/platform/telemetry/telemetry";
import type { TraceContext } from "#lib/support/trace-context";

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };
/** What the spans and the metrics come from. */
export const TELEMETRY_SCOPE = { name: "signalbox" };

/**
 * Converts a span to the form that the exporter reads. The SDK's own Span is not used: it takes its ids from a generator
 * and its times from its own clock, and those of a run come from its journal.
 */
export function toReadableSpan(span: FinishedSpan, resource: Resource): ReadableSpan {
  const { name, context, parentSpanId, startMs, error } = span;
  const endMs = Math.max(startMs, span.endMs);
  const own = contextOf(context, span.traceState);
  return {
    name,
    kind: KINDS[span.kind],
    spanContext: () => own,
    ...(parentSpanId === null ? {} : { parentSpanContext: { ...own, spanId: parentSpanId } }),
    startTime: toHrTime(startMs),
    endTime: toHrTime(endMs),
    duration: toHrTime(endMs - startMs),
    status: error === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    attributes: error === null ? span.attributes : { ...span.attributes, "error.type": error },
    links: (span.links ?? []).map((linked): Link => ({ context: contextOf(linked) })),
    events: [],
    ended: true,
    resource,
    instrumentationScope: TELEMETRY_SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function contextOf({ traceId, spanId, isSampled }: TraceContext, traceState?: string | null): SpanContext {
  const state = traceState ? { traceState: createTraceState(traceState) } : {};
  return { traceId, spanId, traceFlags: isSampled ? 1 : 0, ...state };
}

/** To whole microseconds: a number cannot hold the nanoseconds of today. */
export function toHrTime(ms: number): HrTime {
  const micros = Math.round(ms * 1_000);
  const seconds = Math.floor(micros / 1_000_000);
  return [seconds, (micros - seconds * 1_000_000) * 1_000];
}
