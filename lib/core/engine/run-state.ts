import { LIMITS } from "#lib/contract/limits";
import type { RunWarning } from "#lib/contract/run/journal";
import type { RunError } from "#lib/contract/run/run";
import type { StepErrorPayload } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { countKnownSteps } from "#lib/core/engine/count-steps";
import type { ExecutionPlan, PlanNode } from "#lib/core/engine/plan";
import type { RunPorts } from "#lib/core/engine/ports";
import type { Progress } from "#lib/core/engine/resume";
import type { ParkedRetry } from "#lib/core/engine/retry";
import { newParking, type Parking } from "#lib/core/engine/waits";
import { type KnownSizes, newKnownSizes } from "#lib/support/json-text/measure-json";

/** One run to execute or resume. */
export interface PipelineRequest {
  runId: string;
  plan: ExecutionPlan;
  input: JsonObject;
  /** W3C Trace Context of the caller; null if the caller sent none. */
  traceparent: string | null;
  /** What the journal already contains; empty for a new run. */
  progress: Progress;
  /** The warnings of the steps in the journal; absent if there are none. */
  warnings?: readonly RunWarning[];
  /** The retries that the run was parked for; absent if there are none. */
  retries?: readonly ParkedRetry[];
  /** The size of the payloads in the journal; absent for a new run. */
  journalBytes?: number;
  /** The size of the consoles in the journal; absent for a new run. */
  consoleBytes?: number;
  /** The remaining running time of the run, in ms (contract, Limits: pipeline timeout). */
  remainingMs: number;
  /** Aborted with LeaseLost when this worker no longer holds the run, or with RunReleased when it has to release it. */
  signal: AbortSignal;
  /** Aborted when the worker is stopping: steps in flight may end, and nothing with side effects starts. */
  stopping: AbortSignal;
}

export interface RunFailure {
  status: "failed" | "timed_out";
  error: RunError;
}

interface FailedStep {
  node: PlanNode;
  iteration: string;
}

/** State that the steps of one run share during its execution. */
export interface RunState {
  request: PipelineRequest;
  ports: RunPorts;
  /** On the monotonic clock. */
  deadlineMs: number;
  /** The first failure, which decides how the run ends. */
  failure: RunFailure | null;
  /** The step that failed first; null if the failure was not in a step. */
  failedStep: FailedStep | null;
  /** True if the journal contains a step that failed. */
  hasFailedSteps: boolean;
  /** True if the stopping worker left steps undone. */
  isInterrupted: boolean;
  /** The waits that a failure of the run aborts. */
  waits: Set<AbortController>;
  /** The size of all outputs together (decisions, Size limits). */
  outputBytes: number;
  /** The steps that the run has had or will certainly have (decisions, Budgets). */
  steps: number;
  /** The size of all payloads in the journal (decisions, Budgets). */
  journalBytes: number;
  /** The size of all consoles in the journal. */
  consoleBytes: number;
  /** The sizes of what the steps pass on. */
  sizes: KnownSizes;
  /** The part of both that is not written yet, at most. */
  gatheredBytes: number;
  /** Outputs of the nodes whose output is the output of the run. */
  results: Map<PlanNode, unknown>;
  parking: Parking;
  /** The warnings of all steps so far, each once. */
  warnings: RunWarning[];
}

export function beginRun(request: PipelineRequest, ports: RunPorts): RunState {
  return {
    request,
    ports,
    deadlineMs: ports.clock.monotonicMs() + request.remainingMs,
    failure: null,
    failedStep: null,
    hasFailedSteps: [...request.progress.values()].some(({ kind }) => kind === "failed"),
    isInterrupted: false,
    waits: new Set(),
    outputBytes: 0,
    steps: countKnownSteps(request.plan.nodes, request.progress),
    journalBytes: request.journalBytes ?? 0,
    consoleBytes: request.consoleBytes ?? 0,
    sizes: newKnownSizes(),
    gatheredBytes: 0,
    results: new Map(),
    parking: newParking(),
    warnings: [...(request.warnings ?? [])],
  };
}

export function remainingMs(run: RunState): number {
  return run.deadlineMs - run.ports.clock.monotonicMs();
}

/** Adds the warnings that the run does not have yet: a loop repeats those of its body in every iteration. */
export function addWarnings(known: RunWarning[], warnings: readonly RunWarning[]): void {
  for (const warning of warnings) {
    if (known.length >= LIMITS.runWarnings) return;
    const { step_id, field, path } = warning;
    if (known.some((other) => other.step_id === step_id && other.field === field && other.path === path)) continue;
    known.push(warning);
  }
}

/** Returns true if the run ends, or stops for now: nothing more can be concluded from what its steps did. */
export function isHeld(run: RunState): boolean {
  return run.failure !== null || run.isInterrupted || run.parking.parkedFor !== null;
}

/** Ends the run as failed. Steps in flight may still finish, but nothing new starts. */
export function failRun(run: RunState, status: RunFailure["status"], error: StepErrorPayload, step?: FailedStep): void {
  const node = step?.node;
  if (!run.failure) {
    const named = { ...(node ? { step_id: node.id } : {}), ...(node?.name ? { step_name: node.name } : {}) };
    // The answer of a service is with its step; a list of runs would repeat it for each run. So is the line of its code.
    const { body: _body, line: _line, ...short } = error;
    run.failure = { status, error: { ...short, ...named } };
    run.failedStep = step ? { node: step.node, iteration: step.iteration } : null;
  }
  for (const wait of run.waits) wait.abort();
}

export const PIPELINE_TIMEOUT: StepErrorPayload = {
  code: "TIMEOUT",
  reason: "run_time_limit",
  message: `The run exceeded ${LIMITS.pipelineTimeoutMs / 1000} s of running time`,
};
