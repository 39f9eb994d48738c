import type { StepError } from "#lib/contract/step-error";
import { AnsweredError } from "#lib/engine/answered-error";
import type { Settled } from "#lib/engine/choose-path";
import { classifyError } from "#lib/engine/classify-error";
import { countInput, countOutput } from "#lib/engine/count-payload";
import type { PlanNode, Scope, StepContext } from "#lib/engine/plan";
import type { EngineEvent } from "#lib/engine/ports";
import { retryDelayMs } from "#lib/engine/retry";
import { failRun, type RunState, remainingMs } from "#lib/engine/run-state";
import { stepTraceparent } from "#lib/engine/step-traceparent";
import { PipelineTimeout, withTimeLimit } from "#lib/engine/time-limit";

export interface StepRequest {
  node: PlanNode;
  iteration: string;
  scope: Scope;
  /** Attempts that an earlier worker began; the last of them ended with that worker. */
  begun: { attempts: number; answeredAttempts: number } | null;
}

/** One step on its way; `attempt` and what follows change from attempt to attempt. */
interface StepRun extends StepRequest {
  run: RunState;
  input: unknown;
  attempt: number;
  retriesUsed: number;
  answeredAttempts: number;
}

type AttemptResult = { durationMs: number } & ({ output: unknown } | { error: StepError });

/**
 * Runs one step: attempts, retries, and its events (contract, Journal events).
 * @returns null when the run ends with this step, or before it
 * @throws LeaseLost, or what the journal throws
 */
export async function runStep(run: RunState, request: StepRequest): Promise<Settled | null> {
  const earlier = request.begun?.attempts ?? 0;
  const step: StepRun = {
    ...request,
    run,
    input: null,
    attempt: earlier + 1,
    retriesUsed: Math.max(0, earlier - 1),
    answeredAttempts: request.begun?.answeredAttempts ?? 0,
  };
  try {
    step.input = countInput(step.node.prepared.resolveInput(step.scope, run.request.input));
  } catch (thrown) {
    return endFailed(step, classifyError(thrown));
  }
  for (;;) {
    const result = await tryOnce(step);
    if ("output" in result) return complete(step, result.output, result.durationMs);
    const next = await nextAttempt(step, result.error);
    if (next === "interrupted") {
      run.isInterrupted = true;
      return null;
    }
    if (next === "fail") return endFailed(step, result.error, result.durationMs);
  }
}

/** Waits until the next attempt, where there is one, and counts it. */
async function nextAttempt(step: StepRun, error: StepError): Promise<"retry" | "fail" | "interrupted"> {
  const { run, node } = step;
  const waitMs = retryDelayMs({
    error,
    isIdempotent: node.prepared.isIdempotent?.(step.input) ?? false,
    retriesUsed: step.retriesUsed,
    maxRetries: node.maxRetries,
    remainingMs: remainingMs(run),
    random: run.ports.random(),
  });
  if (waitMs === null || run.failure) return "fail";
  await pause(run, waitMs);
  if (run.failure) return "fail";
  if (run.request.stopping.aborted) return "interrupted";
  step.retriesUsed += 1;
  step.attempt += 1;
  if (error instanceof AnsweredError) step.answeredAttempts += 1;
  return "retry";
}

/** Waits, but not longer than the run goes on or the worker may. */
async function pause(run: RunState, waitMs: number): Promise<void> {
  const { signal, stopping } = run.request;
  const wait = new AbortController();
  run.waits.add(wait);
  try {
    await run.ports.clock.sleep(waitMs, AbortSignal.any([signal, stopping, wait.signal]));
  } catch (error) {
    signal.throwIfAborted();
    if (!stopping.aborted && !wait.signal.aborted) throw error;
  } finally {
    run.waits.delete(wait);
  }
}

async function tryOnce(step: StepRun): Promise<AttemptResult> {
  const { run, node } = step;
  const { journal, clock, untilFit } = run.ports;
  journal.append({
    ...eventOf(step),
    kind: "step_started",
    inputData: step.input,
    ...(step.answeredAttempts > 0 ? { answeredAttempts: step.answeredAttempts } : {}),
  });
  if (node.prepared.hasSideEffects) {
    await untilFit(run.request.signal);
    await journal.flush();
  }
  const startedMs = clock.monotonicMs();
  const durationMs = () => Math.round(clock.monotonicMs() - startedMs);
  try {
    const output = node.prepared.hasSideEffects
      ? await withTimeLimit(run, (signal) => node.prepared.execute(step.input, contextOf(step, signal)))
      : await node.prepared.execute(step.input, contextOf(step, run.request.signal));
    return { output: countOutput(run, output), durationMs: durationMs() };
  } catch (thrown) {
    run.request.signal.throwIfAborted();
    return { error: classifyError(thrown), durationMs: durationMs() };
  }
}

function contextOf(step: StepRun, signal: AbortSignal): StepContext {
  const { request, ports } = step.run;
  const key = `${request.runId}:${step.node.id}:${step.iteration}`;
  return {
    runId: request.runId,
    nodeId: step.node.id,
    iteration: step.iteration,
    idempotencyKey: step.answeredAttempts > 0 ? `${key}:r${step.answeredAttempts}` : key,
    traceparent: () => stepTraceparent(request.traceparent, request.runId, ports.random),
    signal,
    services: ports.services,
  };
}

function complete(step: StepRun, output: unknown, durationMs: number): Settled {
  const { journal } = step.run.ports;
  const { prepared } = step.node;
  journal.append({ ...eventOf(step), kind: "step_completed", outputData: output, durationMs });
  if (prepared.hasSideEffects) journal.flushSoon();
  return { kind: "passed", output, handle: prepared.chosenHandle?.(output) ?? null };
}

/**
 * The step's last attempt failed. A time-out is journalled as such and, where the run goes on, as a failure that was
 * continued (decisions, Step item). When the run's own time is up, it ends whatever the step says.
 */
function endFailed(step: StepRun, failure: StepError, durationMs?: number): Settled | null {
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
  failRun(run, isTimeout ? "timed_out" : "failed", error, node);
  return null;
}

function eventOf(step: StepRun): Omit<EngineEvent, "kind"> {
  const { node, iteration, attempt, run } = step;
  return { nodeId: node.id, iteration, attempt, at: run.ports.clock.now() };
}
