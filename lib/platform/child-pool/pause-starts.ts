import type { PoolChild } from "#lib/platform/child-pool/ask-child";

/** The pause after a failed start. It doubles with each pause until a start succeeds. */
const PAUSE_MS = 250;
const PAUSE_MAX_MS = 30_000;
/**
 * A start that fails says nothing about the call that waits for it: the machine may have no memory or no process to
 * spare for a moment. Calls wait for this many failed starts in a row, with 8 s of pauses.
 */
const ATTEMPTS = 6;

export interface PausedStarts {
  start(): Promise<PoolChild>;
  /** True for a while after a failed start. */
  isPaused(): boolean;
  /** True from the first failed start to the next one that succeeds. */
  isFailing(): boolean;
  /** True after this many failures: calls do not wait for another pause. */
  isHopeless(): boolean;
}

/**
 * Reports pauses after failed starts of a child.
 * @param onEnd called when a pause ends
 */
export function pauseStarts(start: () => Promise<PoolChild>, onEnd: () => void): PausedStarts {
  let nextMs = PAUSE_MS;
  let failures = 0;
  let timer: NodeJS.Timeout | null = null;

  function pause(): void {
    if (timer) return;
    timer = setTimeout(() => {
      timer = null;
      onEnd();
    }, nextMs).unref();
    nextMs = Math.min(2 * nextMs, PAUSE_MAX_MS);
  }

  return {
    isPaused: () => timer !== null,
    isFailing: () => failures > 0,
    isHopeless: () => failures >= ATTEMPTS,
    start: async () => {
      try {
        const child = await start();
        nextMs = PAUSE_MS;
        failures = 0;
        return child;
      } catch (error) {
        failures += 1;
        pause();
        throw error;
      }
    },
  };
}
