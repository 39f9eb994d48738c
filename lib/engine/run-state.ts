import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import type { RunError } from "#lib/contract/run";
import type { StepErrorPayload } from "#lib/contract/step-error";
import type { Plan, PlanNode } from "#lib/engine/plan";
import type { RunPorts } from "#lib/engine/ports";
import type { Progress } from "#lib/engine/resume";

/** One run to be executed, or continued. */
export interface PipelineRequest {
  runId: string;
  plan: Plan;
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

/** What the steps of one run share while it executes. */
export interface RunState {
  request: PipelineRequest;
  ports: RunPorts;
  /** On the monotonic clock. */
  deadlineMs: number;
  /** The first failure decides how the run ends. */
  failure: RunFailure | null;
  /** True when the worker's stop left steps undone. */
  isInterrupted: boolean;
  /** Aborted by the first failure, the worker's stop, or the end: waits between attempts end. */
  halt: AbortController;
  /** Of all outputs together (decisions, Sizes). */
  outputBytes: number;
  /** Outputs of the nodes whose output is the run's. */
  results: Map<PlanNode, unknown>;
}

/** A reason of its own, made once: abort() without one makes an exception with a stack for every run. */
const ENDED = new Error("the run ends");

export function beginRun(request: PipelineRequest, ports: RunPorts): RunState {
  const halt = new AbortController();
  if (request.stopping.aborted) halt.abort(ENDED);
  // The worker's signal outlives its runs; the listener must not.
  else request.stopping.addEventListener("abort", () => halt.abort(ENDED), { once: true, signal: halt.signal });
  return {
    request,
    ports,
    deadlineMs: ports.clock.monotonicMs() + request.remainingMs,
    failure: null,
    isInterrupted: false,
    halt,
    outputBytes: 0,
    results: new Map(),
  };
}

export function remainingMs(run: RunState): number {
  return run.deadlineMs - run.ports.clock.monotonicMs();
}

/** Ends the run as failed; what is in flight may still finish, nothing new begins. */
export function failRun(run: RunState, status: RunFailure["status"], error: StepErrorPayload, node?: PlanNode): void {
  run.failure ??= {
    status,
    error: {
      ...error,
      ...(node ? { step_id: node.id } : {}),
      ...(node?.name ? { step_name: node.name } : {}),
    },
  };
  endWaits(run);
}

/** Also lets go of the worker's signal. */
export function endWaits(run: RunState): void {
  run.halt.abort(ENDED);
}

export const PIPELINE_TIMEOUT: StepErrorPayload = {
  code: "TIMEOUT",
  message: `The run exceeded ${LIMITS.pipelineTimeoutMs / 1000} s of running time`,
};
