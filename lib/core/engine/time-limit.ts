import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/step-error";
import { PIPELINE_TIMEOUT, type RunState, remainingMs } from "#lib/core/engine/run-state";

/** Thrown when the run's own time is up, not the step's. continueOnFailure does not apply to it. */
export class PipelineTimeout extends StepError {
  constructor() {
    super("run_time_limit", PIPELINE_TIMEOUT.message);
  }
}

/**
 * Runs one attempt for at most the step's time limit or the remaining time of the run. The signal reaches the socket; a
 * handler that ignores it is abandoned.
 * @throws StepError TIMEOUT, the run signal's reason, or what the attempt throws
 */
export async function withTimeLimit(run: RunState, attempt: (signal: AbortSignal) => unknown): Promise<unknown> {
  const leftMs = Math.max(0, remainingMs(run));
  const isRunOver = leftMs < LIMITS.stepTimeoutMs;
  const timeUp = new AbortController();
  const over = new AbortController();
  const limit = async () => {
    await run.ports.clock.sleep(
      isRunOver ? leftMs : LIMITS.stepTimeoutMs,
      AbortSignal.any([over.signal, run.request.signal]),
    );
    const error = isRunOver
      ? new PipelineTimeout()
      : new StepError("step_time_limit", `The step exceeded ${LIMITS.stepTimeoutMs / 1000} s`);
    timeUp.abort(error);
    throw error;
  };
  const work = async () => attempt(AbortSignal.any([run.request.signal, timeUp.signal]));
  try {
    return await Promise.race([work(), limit()]);
  } finally {
    over.abort();
  }
}
