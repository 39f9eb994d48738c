import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import { PIPELINE_TIMEOUT, type RunState, remainingMs } from "#lib/core/engine/run-state";

/** Thrown when the run's own time is up, not the step's. continueOnFailure does not apply to it. */
export class PipelineTimeout extends StepError {
  constructor() {
    super("run_time_limit", PIPELINE_TIMEOUT.message);
  }
}

interface LimitedAttempt {
  /** @param start starts the step's time limit, if the step waits for its turn first */
  attempt(signal: AbortSignal, start: () => void): unknown;
  waitsForTurn: boolean;
}

/**
 * Runs one attempt for at most the step's time limit or the remaining time of the run. A step that waits for its turn
 * uses the run's time until then, because the run keeps its slot on the worker, but not the step's. The signal reaches
 * the socket; a handler that ignores it is abandoned.
 * @throws StepError TIMEOUT, the run signal's reason, or what the attempt throws
 */
export async function withTimeLimit(run: RunState, { attempt, waitsForTurn }: LimitedAttempt): Promise<unknown> {
  const timeUp = new AbortController();
  const over = new AbortController();
  const turn = new AbortController();
  const sleep = (ms: number, ...more: AbortSignal[]) =>
    run.ports.clock.sleep(ms, AbortSignal.any([over.signal, run.request.signal, ...more]));
  const end = (error: StepError): never => {
    timeUp.abort(error);
    throw error;
  };
  const untilTurn = async () => {
    try {
      await sleep(Math.max(0, remainingMs(run)), turn.signal);
    } catch (error) {
      if (turn.signal.aborted) return;
      throw error;
    }
    end(new PipelineTimeout());
  };
  const limit = async () => {
    if (waitsForTurn) await untilTurn();
    const leftMs = Math.max(0, remainingMs(run));
    const isRunOver = leftMs < LIMITS.stepTimeoutMs;
    await sleep(isRunOver ? leftMs : LIMITS.stepTimeoutMs);
    end(
      isRunOver
        ? new PipelineTimeout()
        : new StepError("step_time_limit", `The step exceeded ${LIMITS.stepTimeoutMs / 1000} s`),
    );
  };
  const work = async () => attempt(AbortSignal.any([run.request.signal, timeUp.signal]), () => turn.abort());
  try {
    return await Promise.race([work(), limit()]);
  } finally {
    over.abort();
  }
}
