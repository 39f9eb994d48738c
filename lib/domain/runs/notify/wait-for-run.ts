import { LIMITS } from "#lib/contract/limits";
import { isTerminal, isWaiting } from "#lib/contract/run/run";
import { watchRuns } from "#lib/domain/runs/notify/watch-runs";
import { getRun, type RunReading, type TaggedRun } from "#lib/domain/runs/read/get-run";
import { webClosing } from "#lib/platform/config/web-shutdown";

/** How often the run is read in any case: not every change is announced to every process at once. */
const LOOK_AGAIN_MS = 1_000;

/** How long a caller waits. */
export interface Waiting {
  /** The key or the user. All waits of a caller share a budget (`LIMITS.waitsPerKey`). */
  callerId: string;
  timeoutMs: number;
}

/**
 * Returns the run as soon as it has ended or waits for approval, otherwise as it is when the time is up or the web server
 * stops (decisions, Reading runs: a timeout is no error). A wait holds no connection of the pool: it listens on the connection that the
 * whole process shares, and reads the run again when it changed.
 * @throws ApiError RUN_NOT_FOUND
 */
export async function waitForRun(
  workspaceId: string,
  runId: string,
  { callerId, timeoutMs }: Waiting,
  { found, ...reading }: RunReading,
): Promise<TaggedRun> {
  const first = await getRun(workspaceId, runId, { ...reading, found });
  if (timeoutMs === 0 || isSettled(first)) return first;
  const release = holdWait(callerId);
  if (release === null) return first;
  try {
    return await waitUntilSettled(workspaceId, first, timeoutMs, reading);
  } finally {
    release();
  }
}

async function waitUntilSettled(
  workspaceId: string,
  first: TaggedRun,
  timeoutMs: number,
  reading: RunReading,
): Promise<TaggedRun> {
  const deadline = performance.now() + timeoutMs;
  let wake: () => void = () => undefined;
  const closing = webClosing();
  const onClosing = () => wake();
  closing.addEventListener("abort", onClosing);
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
      const run = await getRun(workspaceId, first.run.run_id, reading);
      if (isSettled(run) || leftMs === 0 || closing.aborted) {
        clearTimeout(timer);
        return run;
      }
      await woken;
      clearTimeout(timer);
    }
  } finally {
    closing.removeEventListener("abort", onClosing);
    stopWatching();
  }
}

function isSettled({ run }: TaggedRun): boolean {
  return isTerminal(run.status) || isWaiting(run.status);
}

const held = new Map<string, number>();

/**
 * Takes one of the places in which a caller may wait for runs in this process.
 * @returns a function that releases the place, or null if all places of the caller are taken
 */
function holdWait(callerId: string): (() => void) | null {
  const taken = held.get(callerId) ?? 0;
  if (taken >= LIMITS.waitsPerKey) return null;
  held.set(callerId, taken + 1);
  return () => {
    const left = (held.get(callerId) ?? 1) - 1;
    if (left === 0) held.delete(callerId);
    else held.set(callerId, left);
  };
}
