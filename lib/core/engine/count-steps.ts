import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { PlanNode } from "#lib/core/engine/plan";
import type { Progress } from "#lib/core/engine/resume";
import type { RunState } from "#lib/core/engine/run-state";
import { iterationInside, readStepKey, stepKey } from "#lib/core/engine/step-key";
import { formatNumber } from "#lib/support/format/format-number";

/** Returns the steps that a run certainly has when it starts or resumes: those outside loops, and all in the journal. */
export function countKnownSteps(nodes: readonly PlanNode[], progress: Progress): number {
  let steps = nodes.length;
  for (const key of progress.keys()) if (readStepKey(key).iteration !== "") steps += 1;
  return steps;
}

/**
 * Counts the steps of a loop before its first iteration. Loops inside are counted when they start, for each iteration.
 * @param isBegun true if an earlier worker started the loop: its steps in the journal are counted already
 * @throws StepError VALIDATION_ERROR if the run would have more steps than allowed
 */
export function countLoop(run: RunState, loop: PlanNode, at: { iteration: string; items: number }, isBegun: boolean) {
  const steps = at.items * loop.body.length - (isBegun ? stepsInJournal(run, loop, at) : 0);
  if (run.steps + steps > LIMITS.runSteps) {
    const [limit, most] = [formatNumber(LIMITS.runSteps), formatNumber(run.steps + steps)];
    const size = `${formatNumber(at.items)} items times ${formatNumber(loop.body.length)} steps`;
    throw new StepError(
      "run_too_large",
      `A run can have at most ${limit} steps. With this loop (${size}) it has ${most}`,
    );
  }
  run.steps += steps;
}

function stepsInJournal(run: RunState, loop: PlanNode, { iteration, items }: { iteration: string; items: number }) {
  const { progress } = run.request;
  let steps = 0;
  for (let index = 0; index < items; index += 1) {
    const inside = iterationInside(iteration, index);
    for (const node of loop.body) if (progress.has(stepKey(node.id, inside))) steps += 1;
  }
  return steps;
}
