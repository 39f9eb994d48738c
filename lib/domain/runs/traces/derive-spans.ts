import type { EventKind } from "#lib/contract/journal";
import type { RunSource, RunStatus } from "#lib/contract/run";
import { attemptSpanId, runSpanId, stepSpanId, traceOf } from "#lib/core/engine/run-trace";
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

/** One entry of its journal, without payloads. */
export interface TracedEvent {
  nodeId: string;
  iteration: string;
  kind: EventKind;
  attempt: number;
  atMs: number;
  durationMs: number | null;
  /** True if the event is the start of its attempt, too: both were written at once, as one row. */
  isWholeAttempt: boolean;
  /** In a `step_started`: how the attempt before it failed. */
  errorCode: string | null;
}

/** What the definition says of a node. */
export interface TracedNode {
  kind: string;
  /** The loop whose body contains it. */
  parentId: string | null;
}

interface Attempt {
  number: number;
  startMs: number;
  endMs: number | null;
  error: string | null;
}

interface Step {
  nodeId: string;
  iteration: string;
  attempts: Attempt[];
  /** How the step ended; null if it was open when the run ended. */
  end: EventKind | null;
}

/** The attempt ended with its worker, so the journal has no end of it. */
const WORKER_LOST = "worker_lost";
const FAILED_ENDS: ReadonlySet<EventKind | null> = new Set(["step_failed", "step_failed_continued", "step_timed_out"]);

/**
 * Derives the spans of an ended run from its journal: the run, its wait in the queue, each step and iteration that
 * started, and each attempt. Steps that a replay reuses have their spans in the trace of the original run.
 * @param events in the order they were written, without those of reused steps
 */
export function deriveSpans(
  run: TracedRun,
  events: readonly TracedEvent[],
  nodes: ReadonlyMap<string, TracedNode>,
  isSampled: boolean,
): FinishedSpan[] {
  const { traceId, parent } = traceOf(run.id, run.traceparent);
  const at = (spanId: string): TraceContext => ({ traceId, spanId, isSampled });
  const own = runSpanId(run.id);
  const spans: FinishedSpan[] = [
    {
      name: run.actionSlug === null ? "run" : `run ${run.actionSlug}`,
      kind: "internal",
      context: at(own),
      parentSpanId: parent?.spanId ?? null,
      startMs: run.createdMs,
      endMs: run.endedMs,
      attributes: attributesOf(run),
      error: run.status === "failed" || run.status === "timed_out" ? (run.errorCode ?? run.status) : null,
      links: linksOf(run, isSampled),
    },
    {
      name: "queue",
      kind: "internal",
      context: at(stepSpanId({ runId: run.id, nodeId: "", iteration: "queue" })),
      parentSpanId: own,
      startMs: run.queuedMs,
      endMs: run.startedMs ?? run.endedMs,
      attributes: { "signalbox.run.id": run.id },
      error: null,
    },
  ];
  const steps = gatherSteps(events);
  for (const step of steps.values()) {
    const place = { runId: run.id, ...step };
    const node = nodes.get(step.nodeId);
    const loop = loopOf(step, node);
    const spanId = stepSpanId(place);
    const attributes: SpanAttributes = {
      "signalbox.run.id": run.id,
      "signalbox.step.id": step.nodeId,
      "signalbox.step.kind": node?.kind ?? "unknown",
      ...(step.iteration === "" ? {} : { "signalbox.step.iteration": step.iteration }),
    };
    const last = step.attempts.at(-1);
    spans.push({
      name: `step ${step.nodeId}`,
      kind: "internal",
      context: at(spanId),
      parentSpanId: loop && steps.has(keyOf(loop)) ? stepSpanId({ runId: run.id, ...loop }) : own,
      startMs: step.attempts[0]?.startMs ?? run.createdMs,
      endMs: last?.endMs ?? run.endedMs,
      attributes: { ...attributes, "signalbox.step.status": statusOf(step, run) },
      error: FAILED_ENDS.has(step.end) ? (last?.error ?? null) : null,
    });
    for (const attempt of step.attempts) {
      spans.push({
        name: "attempt",
        kind: "internal",
        context: at(attemptSpanId(place, attempt.number)),
        parentSpanId: spanId,
        startMs: attempt.startMs,
        endMs: attempt.endMs ?? run.endedMs,
        attributes: { ...attributes, "signalbox.step.attempt": attempt.number },
        error: attempt.error,
      });
    }
  }
  return spans;
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
function linksOf({ originalId, originalTraceparent }: TracedRun, isSampled: boolean): TraceContext[] {
  if (originalId === null) return [];
  const { traceId, parent } = traceOf(originalId, originalTraceparent);
  return [{ traceId, spanId: runSpanId(originalId), isSampled: parent?.isSampled ?? isSampled }];
}

function keyOf({ nodeId, iteration }: Pick<Step, "nodeId" | "iteration">): string {
  return `${nodeId}|${iteration}`;
}

/** The loop in whose iteration the step ran: `2.0` is an iteration of the loop in iteration `2`. */
function loopOf({ iteration }: Step, node: TracedNode | undefined): Pick<Step, "nodeId" | "iteration"> | null {
  if (iteration === "" || !node?.parentId) return null;
  return { nodeId: node.parentId, iteration: iteration.split(".").slice(0, -1).join(".") };
}

function gatherSteps(events: readonly TracedEvent[]): Map<string, Step> {
  const steps = new Map<string, Step>();
  for (const event of events.flatMap(splitWhole)) {
    const step = steps.get(keyOf(event));
    if (event.kind === "step_started") {
      const known = step ?? { nodeId: event.nodeId, iteration: event.iteration, attempts: [], end: null };
      steps.set(keyOf(event), known);
      endFormer(known.attempts.at(-1), event);
      known.attempts.push({ number: event.attempt, startMs: event.atMs, endMs: null, error: null });
    } else if (step && event.kind !== "step_pending_approval") {
      end(step, event);
    }
  }
  return steps;
}

function splitWhole(event: TracedEvent): TracedEvent[] {
  if (!event.isWholeAttempt) return [event];
  const atMs = event.atMs - (event.durationMs ?? 0);
  return [{ ...event, kind: "step_started", atMs, durationMs: null, errorCode: null }, event];
}

/** The start of an attempt says how the one before it failed, or nothing if that one ended with its worker. */
function endFormer(former: Attempt | undefined, next: TracedEvent): void {
  if (!former) return;
  const isLost = next.errorCode === null;
  former.endMs = isLost || next.durationMs === null ? next.atMs : former.startMs + next.durationMs;
  former.error = next.errorCode ?? WORKER_LOST;
}

/** A step that timed out and lets the run continue has two events; the first one ended it. */
function end(step: Step, event: TracedEvent): void {
  const last = step.attempts.at(-1);
  if (!last) return;
  if (last.endMs === null) {
    last.endMs = event.atMs;
    last.error = FAILED_ENDS.has(event.kind) ? event.errorCode : null;
  }
  step.end = event.kind;
}

/** As the timeline names it (decisions, Run steps). */
function statusOf({ end: kind }: Step, run: TracedRun): string {
  if (kind !== null) return kind.slice("step_".length);
  return run.status === "cancelled" ? "cancelled" : "stopped";
}
