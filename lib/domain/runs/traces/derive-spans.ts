import type { RunSource, RunStatus } from "#lib/contract/run/run";
import { attemptSpanId, runSpanId, stepSpanId, traceOf } from "#lib/core/engine/run-trace";
import { FAILED_ENDS, type GatheredSteps, type StepTrace, stepTraceKey } from "#lib/domain/runs/traces/gather-steps";
import type { FinishedSpan, SpanAttributes } from "#lib/platform/telemetry/telemetry";
import type { TraceContext } from "#lib/support/trace-context";

/** An ended run. Times are milliseconds on the clock of the database, as in the journal. */
export interface TracedRun {
  id: string;
  workspaceId: string;
  workflowId: string;
  actionSlug: string | null;
  source: RunSource;
  status: RunStatus;
  errorCode: string | null;
  traceparent: string | null;
  /** The run that it replays, and the trace of that run. */
  originalId: string | null;
  originalTraceparent: string | null;
  createdMs: number;
  /** When it could start: created, or approved. */
  queuedMs: number;
  startedMs: number | null;
  endedMs: number;
  recoveries: number;
}

/** What the definition says of a node. */
export interface TracedNode {
  kind: string;
  /** The loop whose body contains it. */
  parentId: string | null;
}

/**
 * Derives the spans of an ended run from its journal: the run, its wait in the queue, each step and iteration that
 * started, and each attempt. Steps that a replay reuses have their spans in the trace of the original run. The caller can
 * stop between two spans: a trace may have thousands.
 * @param run a run whose trace is recorded
 */
export function* deriveSpans(
  run: TracedRun,
  gathered: GatheredSteps,
  nodes: ReadonlyMap<string, TracedNode>,
): Generator<FinishedSpan> {
  const { traceId, parent } = traceOf(run.id, run.traceparent);
  const at = (spanId: string): TraceContext => ({ traceId, spanId, isSampled: true });
  const own = runSpanId(run.id);
  const { leftOutSpans } = gathered;
  yield {
    name: run.actionSlug === null ? "run" : `run ${run.actionSlug}`,
    kind: "internal",
    context: at(own),
    parentSpanId: parent?.spanId ?? null,
    startMs: run.createdMs,
    endMs: run.endedMs,
    attributes: {
      ...attributesOf(run),
      ...(leftOutSpans === 0 ? {} : { "signalbox.run.spans_left_out": leftOutSpans }),
    },
    error: run.status === "failed" || run.status === "timed_out" ? (run.errorCode ?? run.status) : null,
    links: linksOf(run),
  };
  yield {
    name: "queue",
    kind: "internal",
    context: at(stepSpanId({ runId: run.id, nodeId: "", iteration: "queue" })),
    parentSpanId: own,
    startMs: run.queuedMs,
    endMs: run.startedMs ?? run.endedMs,
    attributes: { "signalbox.run.id": run.id },
    error: null,
  };
  for (const step of gathered.steps.values()) {
    const node = nodes.get(step.nodeId);
    const loop = loopOf(step, node);
    const isInLoop = loop !== null && gathered.steps.has(stepTraceKey(loop));
    const parentSpanId = isInLoop ? stepSpanId({ runId: run.id, ...loop }) : own;
    yield* deriveStep(run, step, { kind: node?.kind ?? "unknown", parentSpanId, at });
  }
}

interface StepPlace {
  /** The kind of its node. */
  kind: string;
  parentSpanId: string;
  at(spanId: string): TraceContext;
}

function* deriveStep(run: TracedRun, step: StepTrace, place: StepPlace): Generator<FinishedSpan> {
  const named = { runId: run.id, ...step };
  const spanId = stepSpanId(named);
  const attributes: SpanAttributes = {
    "signalbox.run.id": run.id,
    "signalbox.step.id": step.nodeId,
    "signalbox.step.kind": place.kind,
    ...(step.iteration === "" ? {} : { "signalbox.step.iteration": step.iteration }),
  };
  const last = step.attempts.at(-1);
  yield {
    name: `step ${step.nodeId}`,
    kind: "internal",
    context: place.at(spanId),
    parentSpanId: place.parentSpanId,
    startMs: step.attempts[0]?.startMs ?? run.createdMs,
    endMs: last?.endMs ?? run.endedMs,
    attributes: { ...attributes, "signalbox.step.status": statusOf(step, run) },
    error: FAILED_ENDS.has(step.end) ? (last?.error ?? null) : null,
  };
  for (const attempt of step.attempts) {
    yield {
      name: "attempt",
      kind: "internal",
      context: place.at(attemptSpanId(named, attempt.number)),
      parentSpanId: spanId,
      startMs: attempt.startMs,
      endMs: attempt.endMs ?? run.endedMs,
      attributes: { ...attributes, "signalbox.step.attempt": attempt.number },
      error: attempt.error,
    };
  }
}

function attributesOf(run: TracedRun): SpanAttributes {
  return {
    "signalbox.run.id": run.id,
    "signalbox.run.status": run.status,
    "signalbox.run.source": run.source,
    "signalbox.workspace.id": run.workspaceId,
    "signalbox.workflow.id": run.workflowId,
    ...(run.actionSlug === null ? {} : { "signalbox.action.slug": run.actionSlug }),
    ...(run.originalId === null ? {} : { "signalbox.run.replay_of": run.originalId }),
    ...(run.recoveries === 0 ? {} : { "signalbox.run.recoveries": run.recoveries }),
  };
}

/** A replay is caused by its request and belongs with the run that it repeats. */
function linksOf({ originalId, originalTraceparent }: TracedRun): TraceContext[] {
  if (originalId === null) return [];
  const { traceId, parent } = traceOf(originalId, originalTraceparent);
  return [{ traceId, spanId: runSpanId(originalId), isSampled: parent?.isSampled ?? true }];
}

/** The loop in whose iteration the step ran: `2.0` is an iteration of the loop in iteration `2`. */
function loopOf(
  { iteration }: StepTrace,
  node: TracedNode | undefined,
): Pick<StepTrace, "nodeId" | "iteration"> | null {
  if (iteration === "" || !node?.parentId) return null;
  return { nodeId: node.parentId, iteration: iteration.split(".").slice(0, -1).join(".") };
}

/** As the timeline names it (decisions, Run steps). */
function statusOf({ end: kind }: StepTrace, run: TracedRun): string {
  if (kind !== null) return kind.slice("step_".length);
  return run.status === "cancelled" ? "cancelled" : "stopped";
}
