import { LIMITS } from "#lib/contract/limits";
import type { StepError, StepErrorPayload } from "#lib/contract/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { Settled } from "#lib/core/engine/choose-path";
import { classifyError } from "#lib/core/engine/classify-error";
import { countInput, countOutput, writeGathered } from "#lib/core/engine/count-payload";
import { completeStep, eventOf, failStep, type StepAttempt } from "#lib/core/engine/end-step";
import type {
  NodeTraits,
  PlanNode,
  PreparedNode,
  PreparedWait,
  StepContext,
  TemplateValues,
} from "#lib/core/engine/plan";
import type { BegunStep } from "#lib/core/engine/resume";
import { retryDelayMs } from "#lib/core/engine/retry";
import { type RunState, remainingMs } from "#lib/core/engine/run-state";
import { waitHere } from "#lib/core/engine/run-waits";
import { stepTraceparent } from "#lib/core/engine/step-traceparent";
import { withTimeLimit } from "#lib/core/engine/time-limit";

export interface StepRequest {
  node: PlanNode;
  /** The prepared form of the node itself. */
  prepared: (PreparedNode | PreparedWait) & NodeTraits;
  iteration: string;
  scope: TemplateValues;
  /** Attempts that an earlier worker started. The last one ended with that worker. */
  begun: BegunStep | null;
}

/** The execution of one step; `attempt` and the fields after it change from attempt to attempt. */
interface StepRun extends StepRequest, StepAttempt {
  input: unknown;
  retriesUsed: number;
  answeredAttempts: number;
  /**
   * How the previous attempt ended. It is journaled with the start of the next attempt, because there is no separate
   * event.
   */
  former: { error: StepErrorPayload; durationMs: number } | null;
  /** An attempt that an earlier worker started and that is still waiting; null after another attempt has started. */
  continued: BegunStep | null;
}

/** `stopped`: the step is waiting, and the run does not stay on this worker for it. */
type AttemptResult = { durationMs: number } & ({ output: unknown } | { error: StepError } | { stopped: true });

/**
 * Runs one step with its attempts, retries and events (contract, Journal).
 * @returns null if the run ends with this step, or before it
 * @throws LeaseLost, or what the journal throws
 */
export async function runStep(run: RunState, request: StepRequest): Promise<Settled | null> {
  const earlier = request.begun?.attempts ?? 0;
  // Interrupted work starts again; a wait continues.
  const continued = "look" in request.prepared ? request.begun : null;
  const step: StepRun = {
    ...request,
    run,
    input: null,
    attempt: continued ? earlier : earlier + 1,
    retriesUsed: Math.max(0, earlier - 1),
    answeredAttempts: request.begun?.answeredAttempts ?? 0,
    former: null,
    continued,
  };
  const pause = run.ports.journal.keepUp() ?? run.ports.takeTurn();
  if (pause !== null) await pause;
  run.request.signal.throwIfAborted();
  try {
    step.input = countInput(run, step.prepared.resolveInput(step.scope, run.request.input));
  } catch (thrown) {
    return failStep(step, classifyError(thrown));
  }
  await writeGathered(run);
  for (;;) {
    const result = await tryOnce(step);
    if ("output" in result) return completeStep(step, result.output, result.durationMs);
    if ("stopped" in result) return null;
    const next = await nextAttempt(step, result.error, result.durationMs);
    if (next === "interrupted") {
      run.isInterrupted = true;
      return null;
    }
    if (next === "fail") return failStep(step, result.error, result.durationMs);
  }
}

/** Waits for the next attempt, if there is one, and counts it. */
async function nextAttempt(
  step: StepRun,
  error: StepError,
  durationMs: number,
): Promise<"retry" | "fail" | "interrupted"> {
  const { run, node, prepared } = step;
  const waitMs = retryDelayMs({
    error,
    isIdempotent: "isIdempotent" in prepared && (prepared.isIdempotent?.(step.input) ?? false),
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
  step.continued = null;
  step.former = { error: error.toPayload(), durationMs };
  if (error instanceof AnsweredError) step.answeredAttempts += 1;
  return "retry";
}

/** Waits until the time is over, the run ends, or the worker stops. */
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
  const { run, prepared } = step;
  const { journal, clock, untilFit } = run.ports;
  if (!step.continued) {
    journal.append({
      ...eventOf(step),
      kind: "step_started",
      inputData: step.input,
      ...step.former,
      ...(step.answeredAttempts > 0 ? { answeredAttempts: step.answeredAttempts } : {}),
    });
  }
  if (prepared.hasSideEffects) {
    await untilFit(run.request.signal);
    await journal.flush();
  }
  const startedMs = clock.monotonicMs() - (step.continued?.ageMs ?? 0);
  const durationMs = () => Math.round(clock.monotonicMs() - startedMs);
  try {
    const output = "look" in prepared ? await waitFor(step, prepared, startedMs) : await execute(step, prepared);
    if (output === STOPPED) return { stopped: true, durationMs: durationMs() };
    const turn = run.ports.takeTurn();
    if (turn !== null) await turn;
    return { output: countOutput(run, output), durationMs: durationMs() };
  } catch (thrown) {
    run.request.signal.throwIfAborted();
    return { error: classifyError(thrown), durationMs: durationMs() };
  }
}

function execute(step: StepRun, prepared: PreparedNode & NodeTraits): unknown {
  const { run } = step;
  if (!prepared.hasSideEffects && !prepared.hasTimeLimit)
    return prepared.execute(step.input, contextOf(step, run.request.signal));
  return withTimeLimit(run, {
    attempt: (signal, start) => prepared.execute(step.input, { ...contextOf(step, signal), startTimeLimit: start }),
    waitsForTurn: prepared.waitsForTurn ?? false,
  });
}

const STOPPED = Symbol("stopped");

/** Checks and waits in turns. The contract's event for an approval is written when the approval is not decided yet. */
async function waitFor(step: StepRun, prepared: PreparedWait, startedMs: number): Promise<unknown> {
  const { run } = step;
  let isPending = step.continued?.isPending ?? false;
  for (;;) {
    const waitedMs = run.ports.clock.monotonicMs() - startedMs;
    const look = await prepared.look(step.input, { ...contextOf(step, run.request.signal), waitedMs });
    if (look.kind === "here") return look.output;
    if (look.wait.kind === "approval" && !isPending) {
      run.ports.journal.append({ ...eventOf(step), kind: "step_pending_approval" });
      run.ports.journal.flushSoon();
      isPending = true;
    }
    if (!(await waitHere(run, look.wait))) return STOPPED;
  }
}

function contextOf(step: StepRun, signal: AbortSignal): StepContext {
  const { request, ports } = step.run;
  const key = `${request.runId}:${step.node.id}:${step.iteration}`;
  return {
    runId: request.runId,
    nodeId: step.node.id,
    iteration: step.iteration,
    scope: step.scope,
    idempotencyKey: step.answeredAttempts > 0 ? `${key}:r${step.answeredAttempts}` : key,
    traceparent: () => stepTraceparent(request.traceparent, request.runId, ports.random),
    signal,
    remainingMs: () => Math.max(0, Math.min(LIMITS.stepTimeoutMs, remainingMs(step.run))),
    startTimeLimit: () => {},
    services: ports.services,
  };
}
