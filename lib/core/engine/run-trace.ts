import { formatTraceparent, parseTraceparent, spanIdOf, type TraceContext } from "#lib/support/trace-context";

/** A step of a run, as its spans name it. */
export interface TracedStep {
  runId: string;
  nodeId: string;
  iteration: string;
}

/**
 * Returns the trace of a run: the caller's, or one that is named after the run. The span is the one that the run belongs
 * to; null if the run is the start of its trace.
 */
export function traceOf(runId: string, traceparent: string | null): { traceId: string; parent: TraceContext | null } {
  const parent = parseTraceparent(traceparent);
  return { traceId: parent?.traceId ?? runId.replaceAll("-", ""), parent };
}

/*
 * The ids of spans are functions of what they describe. A step, its calls and its sub-runs are traced by different
 * processes at different times, and agree on their parents without asking each other.
 */
export function runSpanId(runId: string): string {
  return spanIdOf(runId);
}

export function stepSpanId({ runId, nodeId, iteration }: TracedStep): string {
  return spanIdOf(runId, nodeId, iteration);
}

export function attemptSpanId({ runId, nodeId, iteration }: TracedStep, attempt: number): string {
  return spanIdOf(runId, nodeId, iteration, attempt);
}

/**
 * Returns the W3C Trace Context of one attempt, for its outgoing calls and its sub-run.
 * @param traceparent of the run, or null
 */
export function attemptTraceparent(traceparent: string | null, step: TracedStep, attempt: number): string {
  const { traceId, parent } = traceOf(step.runId, traceparent);
  return formatTraceparent({ traceId, spanId: attemptSpanId(step, attempt), isSampled: parent?.isSampled ?? false });
}
