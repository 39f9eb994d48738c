import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import type { RunError } from "#lib/contract/run";
import type { StepErrorPayload } from "#lib/contract/step-error";
import type { ExecutionPlan, PlanNode } from "#lib/core/engine/plan";
import type { RunPorts } from "#lib/core/engine/ports";
import type { Progress } from "#lib/core/engine/resume";
import { newParking, type Parking } from "#lib/core/engine/waits";

/** One run to be executed, or continued. */
export interface PipelineRequest {
  runId: string;
  plan: ExecutionPlan;
  input: JsonObject;
  /** W3C Trace Context of the caller; null when there was none. */
  traceparent: string | null;
  /** What the journal already holds; empty for a new run. */
  progress: Progress;
  /** Running time the run has left, in ms (contract, Limits: pipeline timeout). */
  remainingMs: number;
  /** Aborted with LeaseLost when the run is no longer ours. */
  signal: AbortSignal;
  /** Aborted when the worker is to stop: what is in flight may end, nothing with side effects begins. */
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

/** What the steps of one run share while it executes. */
export interface RunState {
  request: PipelineRequest;
  ports: RunPorts;
  /** On the monotonic clock. */
  deadlineMs: number;
  /** The first failure decides how the run ends. */
  failure: RunFailure | null;
  /** The step that the first failure was; null when it was none. */
  failedStep: FailedStep | null;
  /** True when the worker's stop left steps undone. */
  isInterrupted: boolean;
  /** The waits that the run's failure ends. */
  waits: Set<AbortController>;
  /** Of all outputs together (decisions, Size limits). */
  outputBytes: number;
  /** Outputs of the nodes whose output is the run's. */
  results: Map<PlanNode, unknown>;
  parking: Parking;
}

export function beginRun(request: PipelineRequest, ports: RunPorts): RunState {
  return {
    request,
    ports,
    deadlineMs: ports.clock.monotonicMs() + request.remainingMs,
    failure: null,
    failedStep: null,
    isInterrupted: false,
    waits: new Set(),
    outputBytes: 0,
    results: new Map(),
    parking: newParking(),
  };
}

export function remainingMs(run: RunState): number {
  return run.deadlineMs - run.ports.clock.monotonicMs();
}

/** Ends the run as failed; what is in flight may still finish, nothing new begins. */
export function failRun(run: RunState, status: RunFailure["status"], error: StepErrorPayload, step?: FailedStep): void {
  const node = step?.node;
  if (!run.failure) {
    const named = { ...(node ? { step_id: node.id } : {}), ...(node?.name ? { step_name: node.name } : {}) };
    run.failure = { status, error: { ...error, ...named } };
    run.failedStep = step ? { node: step.node, iteration: step.iteration } : null;
  }
  for (const wait of run.waits) wait.abort();
}

export const PIPELINE_TIMEOUT: StepErrorPayload = {
  code: "TIMEOUT",
  reason: "run_time_limit",
  message: `The run exceeded ${LIMITS.pipelineTimeoutMs / 1000} s of running time`,
};
