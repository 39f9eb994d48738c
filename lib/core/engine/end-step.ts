import type { StepError } from "#lib/contract/step-error";
import type { Settled } from "#lib/core/engine/choose-path";
import type { PlanNode } from "#lib/core/engine/plan";
import type { EngineEvent } from "#lib/core/engine/ports";
import { failRun, type RunState } from "#lib/core/engine/run-state";
import { PipelineTimeout } from "#lib/core/engine/time-limit";

/** One attempt at a step, with the fields that its events need. */
export interface StepAttempt {
  run: RunState;
  node: PlanNode;
  iteration: string;
  attempt: number;
}

export function eventOf({ node, iteration, attempt, run }: StepAttempt): Omit<EngineEvent, "kind"> {
  return { nodeId: node.id, iteration, attempt, at: run.ports.clock.now() };
}

export function completeStep(step: StepAttempt, output: unknown, durationMs: number): Settled {
  const { journal } = step.run.ports;
  const { prepared } = step.node;
  journal.append({ ...eventOf(step), kind: "step_completed", outputData: output, durationMs });
  if (prepared.hasSideEffects) journal.flushSoon();
  return { kind: "passed", output, handle: prepared.chosenHandle?.(output) ?? null };
}

/**
 * Ends a step whose last attempt failed. A timeout gets its own event and, if the run continues, a second event for the
 * continued failure (decisions, Run steps). When the run's own time is up, the run ends regardless of the step's
 * settings.
 */
export function failStep(step: StepAttempt, failure: StepError, durationMs?: number): Settled | null {
  const { run, node } = step;
  const { journal } = run.ports;
  const error = failure.toPayload();
  const event = { ...eventOf(step), error, ...(durationMs === undefined ? {} : { durationMs }) };
  const isTimeout = error.code === "TIMEOUT";
  if (isTimeout) journal.append({ ...event, kind: "step_timed_out" });
  if (node.continueOnFailure && !(failure instanceof PipelineTimeout)) {
    journal.append({ ...event, kind: "step_failed_continued" });
    if (node.prepared.hasSideEffects) journal.flushSoon();
    return { kind: "passed", output: null, handle: null };
  }
  if (!isTimeout) journal.append({ ...event, kind: "step_failed" });
  failRun(run, isTimeout ? "timed_out" : "failed", error, step);
  return null;
}
