import { detailsOf, StepError, type StepErrorDetails, stepErrorKind } from "#lib/contract/run/step-error";
import { classifyError } from "#lib/core/engine/classify-error";
import { countInput, countOutput, countResult, measureInput } from "#lib/core/engine/count-payload";
import { countLoop } from "#lib/core/engine/count-steps";
import {
  completeStep,
  continuesAfterFailure,
  eventOf,
  failStep,
  type StepAttempt,
  type StepEnding,
} from "#lib/core/engine/end-step";
import type { PlanNode, PreparedLoop, TemplateValues } from "#lib/core/engine/plan";
import { type BegunStep, findEarlierFailure } from "#lib/core/engine/resume";
import type { runFrame } from "#lib/core/engine/run-frame";
import { isHeld, type RunState } from "#lib/core/engine/run-state";
import { whileBusy } from "#lib/core/engine/run-waits";
import { iterationInside, stepKey } from "#lib/core/engine/step-key";
import { addUnresolved, type UnresolvedPath } from "#lib/core/expressions/unresolved-path";

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
  /** Those of the loop's own templates. */
  unresolved: UnresolvedPath[];
  items: readonly unknown[];
  results: unknown[];
  /** The size of the results so far, as JSON. */
  resultBytes: number;
  next: number;
  /** True if the run ends, or stops for now, inside an iteration. */
  isOpen: boolean;
  /** Why an iteration failed, if the run continues. */
  failure: StepError | null;
  /** The error of a result's template. */
  resultError: StepError | null;
}

/**
 * Runs a loop (decisions, The graph document): its body once for each item, with limited concurrency. The loop is done
 * when all iterations are done. A step that fails inside, and does not continue itself, fails the loop. If the loop
 * continues then, iterations in progress end first, so that no decision and no sub-run is left behind.
 * @returns null if the run ends, or stops for now, inside the loop
 */
export async function runLoop(request: LoopRequest): Promise<StepEnding> {
  const { run, node, iteration, prepared, begun } = request;
  const { clock, journal } = run.ports;
  const step: StepAttempt = { run, node, iteration, attempt: begun?.attempts ?? 1, unresolved: [], console: [] };
  const startedMs = clock.monotonicMs() - (begun?.ageMs ?? 0);
  let items: readonly unknown[];
  try {
    const input = prepared.resolveInput(request.scope, run.request.input, step.unresolved);
    const inputBytes = measureInput(run, input);
    items = input.items;
    countLoop(run, node, { iteration, items: items.length }, begun !== null);
    if (!begun) countInput(run, inputBytes);
    if (!begun) journal.append({ ...eventOf(step), kind: "step_started", inputData: input });
  } catch (thrown) {
    return failStep(step, classifyError(thrown));
  }
  const results = Array.from({ length: items.length }, () => null);
  const { unresolved } = step;
  const failure = begun === null ? null : findFailedIteration(request, items.length);
  const counts = { resultBytes: 0, next: 0, isOpen: false };
  const loop: LoopRun = { ...request, ...counts, unresolved, items, results, failure, resultError: null };
  await Promise.all(Array.from({ length: prepared.concurrency }, () => runIterations(loop)));
  return conclude(loop, step, Math.round(clock.monotonicMs() - startedMs));
}

/** Finds an iteration that failed on an earlier worker, which the loop has to handle. */
function findFailedIteration({ run, node, iteration }: LoopRequest, items: number): StepError | null {
  if (!run.hasFailedSteps) return null;
  for (let index = 0; index < items; index += 1) {
    const failure = findEarlierFailure(run, node.body, iterationInside(iteration, index));
    if (failure) return errorOf(failure.error, { index: String(index), node: failure.node });
  }
  return null;
}

/** Returns the next iteration to run; null if there is none. After a failure, only iterations that have started continue. */
function takeNext(loop: LoopRun): number | null {
  while (loop.next < loop.items.length && !loop.isOpen && loop.resultError === null) {
    const index = loop.next;
    loop.next += 1;
    if (loop.failure === null || hasStarted(loop, index)) return index;
  }
  return null;
}

function hasStarted({ run, node, iteration }: LoopRun, index: number): boolean {
  const inside = iterationInside(iteration, index);
  return node.body.some(({ id }) => run.request.progress.has(stepKey(id, inside)));
}

/** Runs one iteration after the other while there are items left and no iteration failed. */
async function runIterations(loop: LoopRun): Promise<void> {
  const { run, node } = loop;
  for (let index = takeNext(loop); index !== null; index = takeNext(loop)) {
    const scope: TemplateValues = Object.assign(Object.create(null), loop.scope);
    scope[node.id] = { item: loop.items[index], index };
    const iteration = iterationInside(loop.iteration, index);
    const end = await loop.runFrame(run, node.body, { iteration, scope });
    if (end.kind === "open") loop.isOpen = true;
    else if (end.kind === "failed") loop.failure ??= errorOf(end.error, { index: String(index), node: end.node });
    else keepResult(loop, index, scope);
    await whileBusy(run, () => run.ports.journal.keepUp());
  }
}

function keepResult(loop: LoopRun, index: number, scope: TemplateValues): void {
  try {
    const unresolved: UnresolvedPath[] = [];
    const result = loop.prepared.resolveResult(scope, unresolved);
    for (const note of unresolved) addUnresolved(loop.unresolved, note);
    loop.resultBytes = countResult(loop.resultBytes, result);
    loop.results[index] = result;
  } catch (thrown) {
    loop.resultError ??= classifyError(thrown);
  }
}

function conclude(loop: LoopRun, step: StepAttempt, durationMs: number): StepEnding {
  const { run, node, results, items } = loop;
  const isHandled = continuesAfterFailure(node) || node.caughtBy !== null;
  if (loop.resultError && !(isHandled ? isHeld(run) : run.failure)) {
    return failStep(step, loop.resultError, durationMs);
  }
  if (loop.isOpen || ((loop.failure || loop.resultError) && isHeld(run))) {
    const error = failureInside(loop);
    if (error) run.ports.journal.append({ ...eventOf(step), kind: "step_failed", error, durationMs });
    return null;
  }
  if (loop.failure) return failStep(step, loop.failure, durationMs);
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
  const index = failed.iteration.slice(inside.length).split(".")[0] ?? "";
  // The error codes of approvals never fail a step.
  return stepErrorKind(run.failure.error) && errorOf(run.failure.error, { index, node: failed.node }).toPayload();
}

/** Returns the error of a loop: that of the step that failed inside, with its place. Its line is of other code. */
function errorOf(
  { line: _, ...error }: StepErrorDetails & { code: string; reason?: string; message: string },
  { index, node }: { index: string; node: PlanNode },
): StepError {
  const message = `In iteration ${index}, ${node.name ?? node.id}: ${error.message}`;
  return new StepError(stepErrorKind(error) ?? "UNKNOWN", message, detailsOf(error));
}

function holds(loop: PlanNode, node: PlanNode): boolean {
  return loop.body.some((inner) => inner === node || holds(inner, node));
}
