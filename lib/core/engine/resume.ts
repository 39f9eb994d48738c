import type { EventKind } from "#lib/contract/run/journal";
import type { StepErrorPayload } from "#lib/contract/run/step-error";
import type { Settled } from "#lib/core/engine/choose-path";
import type { PlanNode } from "#lib/core/engine/plan";
import type { RunState } from "#lib/core/engine/run-state";
import { type StepKey, stepKey } from "#lib/core/engine/step-key";

/** A journal entry, as resume reads it. If sanitizing changed the output, `output` comes from the checkpoint. */
export interface RecordedEvent {
  kind: EventKind;
  nodeId: string;
  iteration: string;
  attempt: number;
  answeredAttempts: number;
  output: unknown;
  error: StepErrorPayload | null;
  /** How long ago the event was written, in ms. */
  ageMs: number;
}

/** A step that started but did not end. */
export interface BegunStep {
  attempts: number;
  answeredAttempts: number;
  /** How long ago the last attempt started, in ms. */
  ageMs: number;
  /** True if the journal shows that the attempt is waiting for approval. */
  isPending: boolean;
}

/** How far a step had come when this worker claimed the run. */
export type StepProgress =
  | { kind: "done"; how: "completed" | "skipped"; output: unknown }
  | { kind: "done"; how: "failed_continued"; output: null; error: StepErrorPayload | null }
  | { kind: "failed"; error: StepErrorPayload; isTimeout: boolean }
  | ({ kind: "begun" } & BegunStep);

export type Progress = ReadonlyMap<StepKey, StepProgress>;

/**
 * Derives the state of each step from the journal of a run (contract, Journal). A finished step is never executed
 * again. A step that only started is executed again. A step whose failure is in the journal, but without the end of the
 * run, still fails the run.
 * @param events in the order they were written
 */
export function resume(events: readonly RecordedEvent[]): Progress {
  const progress: OpenProgress = new Map();
  advance(progress, events);
  return progress;
}

export type OpenProgress = Map<StepKey, StepProgress>;

/** Adds the next events of the journal to the state, so that a long journal can be read in parts. */
export function advance(progress: OpenProgress, events: readonly RecordedEvent[]): void {
  for (const event of events) {
    const key = stepKey(event.nodeId, event.iteration);
    if (progress.get(key)?.kind === "done") continue;
    const step = progressOf(event, progress.get(key));
    if (step) progress.set(key, step);
  }
}

function progressOf(event: RecordedEvent, before: StepProgress | undefined): StepProgress | null {
  switch (event.kind) {
    case "step_completed":
      return { kind: "done", how: "completed", output: event.output };
    case "step_skipped":
      return { kind: "done", how: "skipped", output: null };
    case "step_failed_continued":
      return { kind: "done", how: "failed_continued", output: null, error: event.error };
    case "step_failed":
    case "step_timed_out":
      return event.error && { kind: "failed", error: event.error, isTimeout: event.kind === "step_timed_out" };
    case "step_started":
      return {
        kind: "begun",
        attempts: event.attempt,
        answeredAttempts: event.answeredAttempts,
        ageMs: event.ageMs,
        isPending: false,
      };
    case "step_pending_approval":
      return before?.kind === "begun" ? { ...before, isPending: true } : null;
  }
}

/** Converts a finished step to the form that the scheduler needs. */
export function settledBefore(
  step: Extract<StepProgress, { kind: "done" }>,
  { prepared, takesFailedBranch }: Pick<PlanNode, "prepared" | "takesFailedBranch">,
): Settled {
  if (step.how === "skipped") return { kind: "skipped" };
  if (step.how === "failed_continued") return { kind: "failed", error: step.error, takesFailedBranch };
  return { kind: "passed", output: step.output, handle: prepared.chosenHandle?.(step.output) ?? null };
}

/** A step that failed in an iteration of a loop that continues after it. */
export interface FrameFailure {
  node: PlanNode;
  error: StepErrorPayload;
}

/**
 * Finds such a step in the journal. Every other failure in the journal has ended the run before its first step.
 * @param nodes the body of the loop
 */
export function findEarlierFailure(
  { hasFailedSteps, request: { progress } }: Pick<RunState, "hasFailedSteps" | "request">,
  nodes: readonly PlanNode[],
  iteration: string,
): FrameFailure | null {
  if (!hasFailedSteps) return null;
  for (const node of nodes) {
    const before = progress.get(stepKey(node.id, iteration));
    if (before?.kind === "failed") return { node, error: before.error };
  }
  return null;
}
