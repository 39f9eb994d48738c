import { runSpanId, traceOf } from "#lib/core/engine/run-trace";
import type { Telemetry } from "#lib/platform/telemetry/telemetry";
import type { TraceContext } from "#lib/support/trace-context";

/** Returns the span of a run in its trace, and whether that is recorded: the same in every process that asks. */
export function deriveRunContext(tracing: Telemetry, runId: string, traceparent: string | null): TraceContext {
  const { traceId, parent } = traceOf(runId, traceparent);
  return { traceId, spanId: runSpanId(runId), isSampled: tracing.isSampled(traceId, parent) };
}
