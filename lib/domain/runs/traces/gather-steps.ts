import type { EventKind } from "#lib/contract/run/journal";

/** One entry of a run's journal, without payloads. */
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

interface Attempt {
  number: number;
  startMs: number;
  endMs: number | null;
  error: string | null;
}

export interface StepTrace {
  nodeId: string;
  iteration: string;
  attempts: Attempt[];
  /** How the step ended; null if it was open when the run ended. */
  end: EventKind | null;
}

/** What the events that were read so far say of the steps. */
export interface GatheredSteps {
  /** By `stepTraceKey`, in the order in which they started. */
  steps: Map<string, StepTrace>;
  /** Spans of these steps and their attempts. */
  spans: number;
  /** The steps without spans. */
  leftOut: Set<string>;
  /** Spans that these steps and their attempts would have. */
  leftOutSpans: number;
}

/**
 * Once the steps of a run have this many spans, further steps get none. The longest run would have 40,000 spans in 12 MB.
 * Backends accept less in one trace: Grafana Tempo 5 MB by default. Further attempts of a step that has a span are kept.
 */
export const STEP_SPANS_MAX = 10_000;

/** The attempt ended with its worker, so the journal has no end of it. */
const WORKER_LOST = "worker_lost";
export const FAILED_ENDS: ReadonlySet<EventKind | null> = new Set([
  "step_failed",
  "step_failed_continued",
  "step_timed_out",
]);

export function startGathering(): GatheredSteps {
  return { steps: new Map(), spans: 0, leftOut: new Set(), leftOutSpans: 0 };
}

/**
 * Adds events to the steps that they belong to.
 * @param events the next ones of the journal, in the order they were written, without those of reused steps
 */
export function gatherSteps(gathered: GatheredSteps, events: readonly TracedEvent[]): void {
  for (const event of events.flatMap(splitWhole)) {
    const step = gathered.steps.get(stepTraceKey(event));
    if (event.kind === "step_started") start(gathered, step, event);
    else if (step && event.kind !== "step_pending_approval") end(step, event);
  }
}

export function stepTraceKey({ nodeId, iteration }: Pick<StepTrace, "nodeId" | "iteration">): string {
  return `${nodeId}|${iteration}`;
}

function splitWhole(event: TracedEvent): TracedEvent[] {
  if (!event.isWholeAttempt) return [event];
  const atMs = event.atMs - (event.durationMs ?? 0);
  return [{ ...event, kind: "step_started", atMs, durationMs: null, errorCode: null }, event];
}

function start(gathered: GatheredSteps, known: StepTrace | undefined, event: TracedEvent): void {
  const { steps, leftOut } = gathered;
  const key = stepTraceKey(event);
  if (!known && gathered.spans >= STEP_SPANS_MAX) {
    gathered.leftOutSpans += leftOut.has(key) ? 1 : 2;
    leftOut.add(key);
    return;
  }
  const step = known ?? { nodeId: event.nodeId, iteration: event.iteration, attempts: [], end: null };
  steps.set(key, step);
  gathered.spans += known ? 1 : 2;
  endFormer(step.attempts.at(-1), event);
  step.attempts.push({ number: event.attempt, startMs: event.atMs, endMs: null, error: null });
}

/** The start of an attempt says how the one before it failed, or nothing if that one ended with its worker. */
function endFormer(former: Attempt | undefined, next: TracedEvent): void {
  if (!former) return;
  const isLost = next.errorCode === null;
  former.endMs = isLost || next.durationMs === null ? next.atMs : former.startMs + next.durationMs;
  former.error = next.errorCode ?? WORKER_LOST;
}

/** A step that timed out and lets the run continue has two events; the first one ended it. */
function end(step: StepTrace, event: TracedEvent): void {
  const last = step.attempts.at(-1);
  if (!last) return;
  if (last.endMs === null) {
    last.endMs = event.atMs;
    last.error = FAILED_ENDS.has(event.kind) ? event.errorCode : null;
  }
  step.end = event.kind;
}
