import { LIMITS } from "#lib/contract/limits";
import type { StepError, StepErrorPayload } from "#lib/contract/run/step-error";
import { AnsweredError, CorrectableError } from "#lib/core/engine/answered-error";
import { classifyError } from "#lib/core/engine/classify-error";
import {
  countError,
  countInput,
  countOutput,
  measureInput,
  takeConsole,
  writeGathered,
} from "#lib/core/engine/count-payload";
import { completeStep, eventOf, failStep, type StepAttempt, type StepEnding } from "#lib/core/engine/end-step";
import type {
  NodeTraits,
  PlanNode,
  PreparedNode,
  PreparedWait,
  StepContext,
  TemplateValues,
} from "#lib/core/engine/plan";
import type { BegunStep } from "#lib/core/engine/resume";
import {
  errorOfRetry,
  findParkedRetry,
  type ParkedRetry,
  type PendingRetry,
  retryDelayMs,
} from "#lib/core/engine/retry";
import { type RunState, remainingMs } from "#lib/core/engine/run-state";
import { attemptTraceparent } from "#lib/core/engine/run-trace";
import { waitHere } from "#lib/core/engine/run-waits";
import { PipelineTimeout, withTimeLimit } from "#lib/core/engine/time-limit";

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
  inputBytes: number;
  retriesUsed: number;
  answeredAttempts: number;
  /** What the current attempt may correct; null if no answer was. */
  correction: unknown;
  /**
   * How the previous attempt ended. It is journaled with the start of the next attempt, because there is no separate
   * event.
   */
  former: { error: StepErrorPayload; durationMs: number; console?: string[] } | null;
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
export async function runStep(run: RunState, request: StepRequest): Promise<StepEnding> {
  const earlier = request.begun?.attempts ?? 0;
  // Interrupted work starts again; a wait continues.
  const continued = "look" in request.prepared ? request.begun : null;
  const step: StepRun = {
    ...request,
    run,
    input: null,
    inputBytes: 0,
    attempt: continued ? earlier : earlier + 1,
    retriesUsed: Math.max(0, earlier - 1),
    answeredAttempts: request.begun?.answeredAttempts ?? 0,
    correction: null,
    former: null,
    continued,
    unresolved: [],
    console: [],
  };
  const pause = run.ports.journal.keepUp() ?? run.ports.takeTurn();
  if (pause !== null) await pause;
  run.request.signal.throwIfAborted();
  try {
    step.input = step.prepared.resolveInput(step.scope, run.request.input, step.unresolved);
    step.inputBytes = measureInput(run, step.input);
  } catch (thrown) {
    return failStep(step, classifyError(thrown));
  }
  const parked = findParkedRetry(run.request.retries, { ...request, nodeId: request.node.id });
  for (let retry: ParkedRetry | null = parked; ; ) {
    if (retry) {
      if (!(await untilDue(run, retry))) return run.failure && failAttempt(step, retry);
      Object.assign(step, attemptAfter(retry));
    }
    const result = await tryOnce(step);
    if ("output" in result) return completeStep(step, result.output, result.durationMs);
    if ("stopped" in result) return null;
    retry = run.failure ? null : nextRetry(step, result.error, result.durationMs);
    if (!retry) return failStep(step, result.error, result.durationMs);
  }
}

/** Returns the next attempt, and how long to wait for it; null if there is none. */
function nextRetry(step: StepRun, error: StepError, durationMs: number): ParkedRetry | null {
  const { run, node, prepared, iteration, attempt } = step;
  const isCorrectable = error instanceof CorrectableError && step.correction === null;
  if (isCorrectable) step.correction = error.correction;
  const delayMs = retryDelayMs({
    error,
    isIdempotent: "isIdempotent" in prepared && (prepared.isIdempotent?.(step.input) ?? false),
    retriesUsed: step.retriesUsed,
    plan: node.retries,
    remainingMs: remainingMs(run),
    random: run.ports.random(),
  });
  const waitMs = isCorrectable ? 0 : delayMs;
  if (waitMs === null) return null;
  const answeredAttempts = step.answeredAttempts + (error instanceof AnsweredError ? 1 : 0);
  const retriesUsed = step.retriesUsed + 1;
  const payload = error.toPayload();
  countError(run, payload);
  return {
    nodeId: node.id,
    iteration,
    attempt,
    retriesUsed,
    answeredAttempts,
    error: payload,
    durationMs,
    ...(step.console.length > 0 ? { console: step.console } : {}),
    waitMs,
  };
}

/** Waits for the next attempt. A run that has nothing else to do is parked for it (decisions, Runs). */
async function untilDue(run: RunState, { waitMs, ...retry }: ParkedRetry): Promise<boolean> {
  if (!(await waitHere(run, { kind: "time", ms: waitMs, retry })) || run.failure) return false;
  if (run.request.stopping.aborted) run.isInterrupted = true;
  return !run.isInterrupted;
}

/** Ends a step with the attempt that failed, because the next one does not start. */
function failAttempt(step: StepRun, { attempt, durationMs, console = [], ...retry }: ParkedRetry): StepEnding {
  return failStep({ ...step, attempt, console }, errorOfRetry(retry), durationMs);
}

/** The state of a step when its next attempt starts. */
function attemptAfter({ attempt, retriesUsed, answeredAttempts, error, durationMs, console }: PendingRetry) {
  const former = { error, durationMs, ...(console ? { console } : {}) };
  return { attempt: attempt + 1, retriesUsed, answeredAttempts, continued: null, former, console: [] };
}

async function tryOnce(step: StepRun): Promise<AttemptResult> {
  const { run, prepared } = step;
  const { journal, clock, untilFit } = run.ports;
  if (!step.continued) {
    try {
      countInput(run, step.inputBytes);
    } catch (thrown) {
      return { error: classifyError(thrown), durationMs: 0 };
    }
    await writeGathered(run);
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
  const context = contextOf(step, run.request.signal);
  const hasBranch = (handle: string) => step.node.outgoing.some(({ edge }) => edge.sourceHandle === handle);
  let isPending = step.continued?.isPending ?? false;
  for (;;) {
    const waitedMs = run.ports.clock.monotonicMs() - startedMs;
    const look = await prepared.look(step.input, { ...context, waitedMs, hasBranch });
    if (look.kind === "here") return look.output;
    if (look.wait.kind === "approval" && !isPending) {
      run.ports.journal.append({ ...eventOf(step), kind: "step_pending_approval" });
      run.ports.journal.flushSoon();
      isPending = true;
    }
    if (!(await waitHere(run, look.wait))) return STOPPED;
    if (remainingMs(run) <= 0) throw new PipelineTimeout();
  }
}

function contextOf(step: StepRun, signal: AbortSignal): StepContext {
  const { request, ports } = step.run;
  const place = { runId: request.runId, nodeId: step.node.id, iteration: step.iteration };
  const key = `${request.runId}:${step.node.id}:${step.iteration}`;
  return {
    ...place,
    scope: step.scope,
    idempotencyKey: step.answeredAttempts > 0 ? `${key}:r${step.answeredAttempts}` : key,
    traceparent: () => attemptTraceparent(request.traceparent, place, step.attempt),
    signal,
    remainingMs: () => Math.max(0, Math.min(LIMITS.stepTimeoutMs, remainingMs(step.run))),
    startTimeLimit: () => {},
    services: ports.services,
    previousError: step.former?.error ?? null,
    unresolved: step.unresolved,
    onConsole: (lines) => {
      step.console = takeConsole(step.run, lines);
    },
    correction: step.correction,
  };
}
