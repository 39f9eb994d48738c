import { StepError, stepErrorKind } from "#lib/contract/step-error";
import type { Settled } from "#lib/core/engine/choose-path";
import { classifyError } from "#lib/core/engine/classify-error";
import { countInput, countOutput, countResult, measureInput } from "#lib/core/engine/count-payload";
import { countLoop } from "#lib/core/engine/count-steps";
import { completeStep, eventOf, failStep, type StepAttempt } from "#lib/core/engine/end-step";
import type { PlanNode, PreparedLoop, TemplateValues } from "#lib/core/engine/plan";
import type { BegunStep } from "#lib/core/engine/resume";
import type { runFrame } from "#lib/core/engine/run-frame";
import type { RunState } from "#lib/core/engine/run-state";
import { whileBusy } from "#lib/core/engine/run-waits";
import { iterationInside } from "#lib/core/engine/step-key";

interface LoopRequest {
  run: RunState;
  node: PlanNode;
  prepared: PreparedLoop;
  /** The iteration that the loop itself is in. */
  iteration: string;
  scope: TemplateValues;
  /** Set if an earlier worker started the loop. Finished iterations are passed through, not repeated. */
  begun: BegunStep | null;
  /** Passed as a parameter, because frames run loops and loops run frames. */
  runFrame: typeof runFrame;
}

interface LoopRun extends LoopRequest {
  items: readonly unknown[];
  results: unknown[];
  /** The size of the results so far, as JSON. */
  resultBytes: number;
  next: number;
  /** False if an iteration did not finish. */
  isWhole: boolean;
  /** The error of a result's template. */
  resultError: StepError | null;
}

/**
 * Runs a loop (decisions, The graph document): its body once for each item, with limited concurrency. The loop is done
 * when all iterations are done. A step that fails inside without continueOnFailure fails the loop.
 * @returns null if the run ends, or stops for now, inside the loop
 */
export async function runLoop(request: LoopRequest): Promise<Settled | null> {
  const { run, node, iteration, prepared, begun } = request;
  const { clock, journal } = run.ports;
  const step: StepAttempt = { run, node, iteration, attempt: begun?.attempts ?? 1 };
  const startedMs = clock.monotonicMs() - (begun?.ageMs ?? 0);
  let items: readonly unknown[];
  try {
    const input = prepared.resolveInput(request.scope, run.request.input);
    const inputBytes = measureInput(input);
    items = input.items;
    countLoop(run, node, { iteration, items: items.length }, begun !== null);
    if (!begun) countInput(run, inputBytes);
    if (!begun) journal.append({ ...eventOf(step), kind: "step_started", inputData: input });
  } catch (thrown) {
    return failStep(step, classifyError(thrown));
  }
  const results = Array.from({ length: items.length }, () => null);
  const loop: LoopRun = { ...request, items, results, resultBytes: 0, next: 0, isWhole: true, resultError: null };
  await Promise.all(Array.from({ length: prepared.concurrency }, () => runIterations(loop)));
  return conclude(loop, step, Math.round(clock.monotonicMs() - startedMs));
}

/** Runs one iteration after the other while there are items left and no iteration failed. */
async function runIterations(loop: LoopRun): Promise<void> {
  const { run, node } = loop;
  while (loop.isWhole && loop.next < loop.items.length) {
    const index = loop.next;
    loop.next += 1;
    const scope: TemplateValues = Object.assign(Object.create(null), loop.scope);
    scope[node.id] = { item: loop.items[index], index };
    const iteration = iterationInside(loop.iteration, index);
    const isDone = await loop.runFrame(run, node.body, { iteration, scope });
    if (!isDone) loop.isWhole = false;
    else keepResult(loop, index, scope);
    await whileBusy(run, () => run.ports.journal.keepUp());
  }
}

function keepResult(loop: LoopRun, index: number, scope: TemplateValues): void {
  try {
    const result = loop.prepared.resolveResult(scope);
    loop.resultBytes = countResult(loop.resultBytes, result);
    loop.results[index] = result;
  } catch (thrown) {
    loop.resultError ??= classifyError(thrown);
    loop.isWhole = false;
  }
}

function conclude(loop: LoopRun, step: StepAttempt, durationMs: number): Settled | null {
  const { run, results, items } = loop;
  if (loop.resultError && !run.failure) return failStep(step, loop.resultError, durationMs);
  if (!loop.isWhole) {
    const failure = failureInside(loop);
    if (failure) run.ports.journal.append({ ...eventOf(step), kind: "step_failed", error: failure, durationMs });
    return null;
  }
  try {
    return completeStep(step, countOutput(run, { results, count: items.length }), durationMs);
  } catch (thrown) {
    return failStep(step, classifyError(thrown), durationMs);
  }
}

/**
 * Returns the loop's own error if a step inside it ended the run; null if the run ended elsewhere or will continue
 * later.
 */
function failureInside({ run, node, iteration }: LoopRun) {
  const failed = run.failedStep;
  const inside = iteration === "" ? "" : `${iteration}.`;
  if (!run.failure || !failed || !holds(node, failed.node) || !failed.iteration.startsWith(inside)) return null;
  const { message } = run.failure.error;
  const index = failed.iteration.slice(inside.length).split(".")[0];
  // The error codes of approvals never fail a step.
  const kind = stepErrorKind(run.failure.error);
  if (kind === null) return null;
  return new StepError(kind, `In iteration ${index}, ${failed.node.name ?? failed.node.id}: ${message}`).toPayload();
}

function holds(loop: PlanNode, node: PlanNode): boolean {
  return loop.body.some((inner) => inner === node || holds(inner, node));
}
