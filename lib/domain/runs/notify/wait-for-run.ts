import { isTerminal, isWaiting } from "#lib/contract/run";
import { watchRuns } from "#lib/domain/runs/notify/watch-runs";
import { getRun, type RunReading, type TaggedRun } from "#lib/domain/runs/read/get-run";

/** How often the run is read in any case: not every change is announced to every process at once. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Returns the run as soon as it has ended or waits for approval, otherwise as it is when the time is up (decisions,
 * Reading runs: a timeout is no error).
 * @throws ApiError RUN_NOT_FOUND
 */
export async function waitForRun(
  workspaceId: string,
  runId: string,
  timeoutMs: number,
  { found, ...reading }: RunReading,
): Promise<TaggedRun> {
  const first = await getRun(workspaceId, runId, { ...reading, found });
  if (isSettled(first)) return first;
  const deadline = performance.now() + timeoutMs;
  let wake: () => void = () => undefined;
  const stopWatching = await watchRuns(
    workspaceId,
    (changedId) => changedId === first.run.run_id && wake(),
    () => wake(),
  );
  try {
    for (;;) {
      // A change from here on wakes the sleeper, even while the run is being read.
      const leftMs = Math.max(0, deadline - performance.now());
      let timer: NodeJS.Timeout | undefined;
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, Math.min(LOOK_AGAIN_MS, leftMs));
      });
      const run = await getRun(workspaceId, runId, reading);
      if (isSettled(run) || leftMs === 0) {
        clearTimeout(timer);
        return run;
      }
      await woken;
      clearTimeout(timer);
    }
  } finally {
    stopWatching();
  }
}

function isSettled({ run }: TaggedRun): boolean {
  return isTerminal(run.status) || isWaiting(run.status);
}
