import type { RunWarning } from "#lib/contract/run/journal";
import type { StepError, StepErrorPayload } from "#lib/contract/run/step-error";
import type { Settled } from "#lib/core/engine/choose-path";
import { countError } from "#lib/core/engine/count-payload";
import type { PlanNode } from "#lib/core/engine/plan";
import type { EngineEvent } from "#lib/core/engine/ports";
import { addWarnings, failRun, type RunState } from "#lib/core/engine/run-state";
import { PipelineTimeout } from "#lib/core/engine/time-limit";
import type { UnresolvedPath } from "#lib/core/expressions/unresolved-path";

/** One attempt at a step, with the fields that its events need. */
export interface StepAttempt {
  run: RunState;
  node: PlanNode;
  iteration: string;
  attempt: number;
  /** The paths of the step that did not resolve; usually none. */
  unresolved: UnresolvedPath[];
  /** What the attempt wrote to its console; usually nothing. */
  console: string[];
}

export function eventOf({ node, iteration, attempt, run }: StepAttempt): Omit<EngineEvent, "kind"> {
  return { nodeId: node.id, iteration, attempt, at: run.ports.clock.now() };
}

/** Returns the part of the step's last event that has its warnings, and adds them to those of the run. */
function warningsOf({ run, node, unresolved }: StepAttempt): { warnings?: RunWarning[] } {
  if (unresolved.length === 0) return {};
  const warnings = unresolved.map(
    ({ code, field, path, resolvedUntil, has }): RunWarning => ({
      ...(code === undefined ? {} : { code }),
      step_id: node.id,
      field,
      path,
      resolved_until: resolvedUntil,
      has,
    }),
  );
  addWarnings(run.warnings, warnings);
  return { warnings };
}

function consoleOf({ console }: StepAttempt): { console?: string[] } {
  return console.length === 0 ? {} : { console };
}

export function completeStep(step: StepAttempt, output: unknown, durationMs: number): Settled {
  const { journal } = step.run.ports;
  const { prepared } = step.node;
  journal.append({
    ...eventOf(step),
    kind: "step_completed",
    outputData: output,
    durationMs,
    ...warningsOf(step),
    ...consoleOf(step),
  });
  if (prepared.hasSideEffects) journal.flushSoon();
  return { kind: "passed", output, handle: prepared.chosenHandle?.(output) ?? null };
}

/** The step failed inside a loop that continues after it. Its iteration ends; the run continues. */
export interface CaughtFailure {
  kind: "caught";
  error: StepErrorPayload;
}

/** How a step ended; null if the run ends or stops with it. */
export type StepEnding = Settled | CaughtFailure | null;

/**
 * Ends a step whose last attempt failed. A timeout gets its own event and, if the run continues, a second event for the
 * continued failure (decisions, Run steps). When the run's own time is up, the run ends regardless of the step's
 * settings.
 */
export function failStep(step: StepAttempt, failure: StepError, durationMs?: number): StepEnding {
  const { run, node } = step;
  const { journal } = run.ports;
  const error = failure.toPayload();
  countError(run, error);
  const event = {
    ...eventOf(step),
    error,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...warningsOf(step),
    ...consoleOf(step),
  };
  // A loop repeats the error of the step that failed inside; it has no time limit of its own.
  const isTimeout = error.code === "TIMEOUT" && !node.prepared.holdsBody;
  if (isTimeout) journal.append({ ...event, kind: "step_timed_out" });
  const isRunOver = failure instanceof PipelineTimeout;
  if (!isRunOver && continuesAfterFailure(node)) {
    journal.append({ ...event, kind: "step_failed_continued" });
    if (node.prepared.hasSideEffects) journal.flushSoon();
    return { kind: "failed", error: journal.shown(error), takesFailedBranch: node.takesFailedBranch };
  }
  if (!isTimeout) journal.append({ ...event, kind: "step_failed" });
  if (!isRunOver && node.caughtBy !== null) return { kind: "caught", error };
  failRun(run, isTimeout ? "timed_out" : "failed", error, step);
  return null;
}

/** Returns true if the run continues after the step has failed. */
export function continuesAfterFailure({ takesFailedBranch, continueOnFailure }: PlanNode): boolean {
  return takesFailedBranch || continueOnFailure;
}
