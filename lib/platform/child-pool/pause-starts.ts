import type { PoolChild } from "#lib/platform/child-pool/ask-child";

/** The pause after a failed start. It doubles with each pause until a start succeeds. */
const PAUSE_MS = 250;
const PAUSE_MAX_MS = 30_000;

interface PausedStarts {
  start(): Promise<PoolChild>;
  /** True for a while after a failed start. */
  isPaused(): boolean;
}

/**
 * Reports pauses after failed starts of a child.
 * @param onEnd called when a pause ends
 */
export function pauseStarts(start: () => Promise<PoolChild>, onEnd: () => void): PausedStarts {
  let nextMs = PAUSE_MS;
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
    start: async () => {
      try {
        const child = await start();
        nextMs = PAUSE_MS;
        return child;
      } catch (error) {
        pause();
        throw error;
      }
    },
  };
}
